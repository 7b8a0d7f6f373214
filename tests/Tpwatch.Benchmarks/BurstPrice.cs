using System.Diagnostics;
using Tpwatch.Benchmarks.Figures;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Events;
using Tpwatch.Sessions;
using Tpwatch.Stacks;
using Tpwatch.Targets;

namespace Tpwatch.Benchmarks;

/// <summary>Bursts on a target that does nothing or waits, so that all of its processor time is theirs.</summary>
static class BurstPrice
{
    const int Bursts = 8;
    static readonly TimeSpan Apart = TimeSpan.FromSeconds(1);

    /// <summary>A worker each for as many items that block: what a burst is for.</summary>
    static readonly string[] Blocked = ["pool-burst", "--min", "60", "--items", "60", "--hold", "120000", "--seconds", "120"];

    public static async Task<BurstCost> OfIdleAsync()
    {
        await using var load = await LoadProcess.StartAsync(0);
        return await MeasureAsync(load.Pid);
    }

    public static async Task<BurstCost> OfBlockedAsync()
    {
        using var copy = new FixtureCopy();
        await using var fixture = await FixtureProcess.StartAsync(copy.OnThisRuntime(web: false), Environment.ProcessorCount, Blocked);
        await fixture.BeginAsync();
        await Task.Delay(Apart);
        return await MeasureAsync(fixture.Pid);
    }

    static async Task<BurstCost> MeasureAsync(int pid)
    {
        var plan = SessionNeeds.Plan(ProbeSet.Basic(Environment.Version.Major, null));
        await using var session = await LiveSession.OpenAsync(TargetFinder.ByPid(pid), _ => plan, CancellationToken.None);
        _ = new CountingReader(session.Events);
        var burst = new StackBurst(TimeProvider.System, Path.GetTempPath());

        // The first makes both sides compile the code that serves it.
        await burst.TakeAsync(session, CancellationToken.None);
        List<double> sampled = [], cpu = [], whole = [];
        var threads = 0;
        for (var n = 0; n < Bursts; n++)
        {
            await Task.Delay(Apart);
            var (before, stamp) = (CpuClock.Ms(pid), Stopwatch.GetTimestamp());
            var outcome = await burst.TakeAsync(session, CancellationToken.None);
            if (outcome.Samples is { } samples)
            {
                sampled.Add(samples.Ms);
                cpu.Add(CpuClock.Ms(pid) - before);
                whole.Add(Stopwatch.GetElapsedTime(stamp).TotalMilliseconds);
                threads = samples.Stacks.Select(s => s.ThreadId).Distinct().Count();
            }
        }

        await session.StopAsync(CancellationToken.None);
        return new(new(sampled), new(cpu), new(whole), threads);
    }
}
