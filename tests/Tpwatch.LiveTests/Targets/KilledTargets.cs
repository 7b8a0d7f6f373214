using System.Text.RegularExpressions;

[assembly: AssemblyFixture(typeof(Tpwatch.LiveTests.Targets.KilledTargets))]

namespace Tpwatch.LiveTests.Targets;

/// <summary>
/// A runtime that is killed leaves its socket and its debugger's pipes. Numbers of processes come again, so that thousands of them would be
/// taken for those of others: what processes left that began and ended while these tests ran is removed in the end.
/// </summary>
public sealed partial class KilledTargets : IDisposable
{
    readonly DateTime began = DateTime.UtcNow;

    public void Dispose()
    {
        foreach (var file in Directory.Exists("/proc/self") ? Directory.EnumerateFiles(Path.GetTempPath()).Where(IsLeft).ToArray() : [])
        {
            try
            {
                File.Delete(file);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // Somebody else's.
            }
        }
    }

    bool IsLeft(string file) =>
        OfRuntime.Match(Path.GetFileName(file)) is { Success: true } match && !Directory.Exists("/proc/" + match.Groups[1].Value)
        && File.GetLastWriteTimeUtc(file) >= began;

    [GeneratedRegex(@"^(?:dotnet-diagnostic|clr-debug-pipe)-(\d+)-\d+-(?:socket|in|out)$")]
    static partial Regex OfRuntime { get; }
}
