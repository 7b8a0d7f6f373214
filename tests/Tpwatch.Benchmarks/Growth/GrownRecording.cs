using System.Globalization;
using Tpwatch.Benchmarks.Screen;

namespace Tpwatch.Benchmarks.Growth;

/// <summary>
/// The whole analysis of a recording, from the file to its report, in a process of its own. Every event in it is ours, the dearest there
/// is: a stored recording again and again, each time later. Files are made once and deleted at the end.
/// </summary>
sealed class GrownRecording : IDisposable
{
    /// <summary>How many bytes an hour of it has must be known before one of so many bytes can be written.</summary>
    static readonly TimeSpan Tried = TimeSpan.FromHours(1);

    readonly string folder = Directory.CreateTempSubdirectory("tpwatch-growth-").FullName;

    static string Stored { get; } = Path.Combine(BuiltPrograms.Root, "tests", "Recordings", "recovering.nettrace");

    public Measured Megabytes(double size)
    {
        var file = Path.Combine(folder, size.ToString(CultureInfo.InvariantCulture) + ".nettrace");
        if (!File.Exists(file))
        {
            DayRecording.Write(Stored, file, Tried);
            DayRecording.Write(Stored, file, Tried * (size * 1e6 / new FileInfo(file).Length));
        }

        var pass = Large.Analyse(file);
        return new(size, pass.CpuMs, null, pass.PeakBytes / 1e6);
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);
}
