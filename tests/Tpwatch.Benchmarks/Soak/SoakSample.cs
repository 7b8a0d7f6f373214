using System.Globalization;

namespace Tpwatch.Benchmarks.Soak;

/// <summary>What a process takes at one moment.</summary>
/// <param name="Seconds">Since the first look.</param>
/// <param name="Megabytes">Resident memory.</param>
/// <param name="Descriptors">Open files, sockets among them.</param>
/// <param name="Threads">Its threads.</param>
/// <param name="ProcessorMs">Processor time since its start.</param>
sealed record SoakSample(double Seconds, double Megabytes, int Descriptors, int Threads, double ProcessorMs)
{
    /// <summary>Processor time since the look before, percent of one processor.</summary>
    public double Percent { get; private init; }

    /// <summary>Looks at a process.</summary>
    public static SoakSample Of(int pid, TimeSpan since, SoakSample? before)
    {
        var folder = string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}");
        var status = File.ReadAllLines(Path.Combine(folder, "status"));
        SoakSample sample = new(since.TotalSeconds, Status(status, "VmRSS:") / 1024.0,
            Directory.GetFiles(Path.Combine(folder, "fd")).Length, Status(status, "Threads:"), CpuClock.Ms(pid));
        return before is null ? sample : sample with
        {
            Percent = (sample.ProcessorMs - before.ProcessorMs) / (sample.Seconds - before.Seconds) / 1000 * 100,
        };
    }

    static int Status(string[] lines, string field) => int.Parse(
        lines.First(l => l.StartsWith(field, StringComparison.Ordinal))[field.Length..].Split('k')[0].Trim(), CultureInfo.InvariantCulture);
}
