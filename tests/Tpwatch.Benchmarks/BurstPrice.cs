using System.Diagnostics;
using Tpwatch.Attach;
using Tpwatch.Events;
using Tpwatch.Stacks;

namespace Tpwatch.Benchmarks;

/// <summary>What one burst of stacks costs, milliseconds.</summary>
/// <param name="Sampled">From the first sample to the last: an upper bound of the pause.</param>
/// <param name="Cpu">Processor time of the target beyond what it uses anyway.</param>
/// <param name="Whole">From asking for it to having read it.</param>
/// <param name="Threads">Threads that were sampled.</param>
sealed record BurstCost(Spread Sampled, Spread Cpu, Spread Whole, int Threads);

/// <summary>Bursts on an otherwise idle target, so that all of its processor time is theirs.</summary>
static class BurstPrice
{
    const int Bursts = 8;
    static readonly TimeSpan Apart = TimeSpan.FromSeconds(1);

    public static async Task<BurstCost> MeasureAsync()
    {
        await using var load = await LoadProcess.StartAsync(0);
        var plan = SessionNeeds.Plan(ProbeSet.Basic(Environment.Version.Major, null));
        await using var session = await LiveSession.OpenAsync(TargetFinder.ByPid(load.Pid), _ => plan, CancellationToken.None);
        _ = new CountingReader(session.Events);
        var burst = new StackBurst(TimeProvider.System, Path.GetTempPath());

        // The first makes both sides compile the code that serves it.
        await burst.TakeAsync(session, CancellationToken.None);
        List<double> sampled = [], cpu = [], whole = [];
        var threads = 0;
        for (var n = 0; n < Bursts; n++)
        {
            await Task.Delay(Apart);
            var (before, stamp) = (CpuClock.Ms(load.Pid), Stopwatch.GetTimestamp());
            var outcome = await burst.TakeAsync(session, CancellationToken.None);
            if (outcome.Samples is { } samples)
            {
                sampled.Add(samples.Ms);
                cpu.Add(CpuClock.Ms(load.Pid) - before);
                whole.Add(Stopwatch.GetElapsedTime(stamp).TotalMilliseconds);
                threads = samples.Stacks.Select(s => s.ThreadId).Distinct().Count();
            }
        }

        await session.StopAsync(CancellationToken.None);
        return new(new(sampled), new(cpu), new(whole), threads);
    }
}
