using System.Diagnostics;
using System.Globalization;
using Microsoft.Diagnostics.Tracing;
using Tpwatch.Export;

namespace Tpwatch.Benchmarks;

/// <summary>The child of `large`: one pass over a recording, in a process of its own so that its memory is its own.</summary>
static class LargePass
{
    public const string Name = "pass";

    /// <summary>The tracing library alone, nothing subscribed.</summary>
    public const string Bare = "bare";

    /// <summary>From the file to the last line of its report.</summary>
    public const string Whole = "whole";

    /// <summary>A recording of a gigabyte is read within minutes; one that takes longer hangs.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(20);

    public static async Task<int> RunAsync(string pass, string file)
    {
        var events = pass == Bare ? Decode(file) : await AnalyseAsync(file);
        var cpu = Environment.CpuUsage.TotalTime.TotalMilliseconds;
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{cpu} {PeakBytes()} {events}"));
        return 0;
    }

    static long Decode(string file)
    {
        using var source = new EventPipeEventSource(file);
        var events = 0L;
        source.AllEvents += _ => events++;
        source.Process();
        return events;
    }

    static async Task<long> AnalyseAsync(string file)
    {
        await using var watch = ThreadPoolWatch.Replay(file, new WatchOptions());
        await watch.Completion.WaitAsync(Limit);
        var report = watch.Report();
        GC.KeepAlive(JsonReportRenderer.Render(report, DateTime.UnixEpoch, "0", showCommandLine: false));
        return report.Timeline.Quality.Events;
    }

    // The most that was resident at any time, as the kernel counts it.
    static long PeakBytes() => File.Exists("/proc/self/status")
        ? long.Parse(
            File.ReadLines("/proc/self/status").First(l => l.StartsWith("VmHWM:", StringComparison.Ordinal))
                .Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture) * 1024
        : Process.GetCurrentProcess().PeakWorkingSet64;
}
