using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Screen;

namespace Tpwatch.Benchmarks.Compare;

/// <summary>The tool's own processor time while it watches a target that does nothing: as a screen, and as lines.</summary>
static class IdleWatch
{
    /// <summary>
    /// Until the runtime has compiled what runs again and again: it optimises what was called 30 times, and the rarest of it is called
    /// every four seconds.
    /// </summary>
    static readonly TimeSpan Warm = TimeSpan.FromSeconds(150);

    static readonly TimeSpan Length = TimeSpan.FromSeconds(30);

    /// <summary>A share of one processor.</summary>
    public static async Task<double> OfScreenAsync()
    {
        await using var screen = await WatchedScreen.StartAsync(begin: false, "steady");
        return (await SteadyLoad.MeasureAsync(screen.Terminal, Length)).ProcessorShare;
    }

    /// <summary>A share of one processor.</summary>
    public static async Task<double> OfLinesAsync()
    {
        await using var load = await LoadProcess.StartAsync(chains: 0, LoadProcess.Idle);
        var pid = load.Pid.ToString(CultureInfo.InvariantCulture);
        using var tool =
            Process.Start(new ProcessStartInfo(BuiltPrograms.Host, [BuiltPrograms.Tool, "--pid", pid]) { RedirectStandardOutput = true })!;
        try
        {
            await Task.Delay(Warm);
            var (cpu, stamp) = (CpuClock.Ms(tool.Id), Stopwatch.GetTimestamp());
            await Task.Delay(Length);
            return (CpuClock.Ms(tool.Id) - cpu) / Stopwatch.GetElapsedTime(stamp).TotalMilliseconds;
        }
        finally
        {
            tool.Kill();
            await tool.WaitForExitAsync();
        }
    }
}
