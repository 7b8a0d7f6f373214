using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Figures;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Targets;
using Tpwatch.Watch;

namespace Tpwatch.Benchmarks;

/// <summary>
/// What attaching costs a target. Saturated: items per processor-second of the target with a session against without, in pairs, beside
/// pairs without any session, which show how much the machine alone makes of it. Idle: processor time a second, and bytes of the stream.
/// And bursts of stacks. With --write the section of tests/SCORES.md is written, and what the pages for users tell of it.
/// </summary>
static class Price
{
    const int DefaultPairs = 12;
    static readonly TimeSpan Window = TimeSpan.FromSeconds(2);
    static readonly TimeSpan Settle = TimeSpan.FromSeconds(0.5);
    static readonly TimeSpan IdleWindow = TimeSpan.FromSeconds(20);

    public static async Task<int> RunAsync(string[] args)
    {
        var pairs = args.Select(a => int.TryParse(a, NumberStyles.None, CultureInfo.InvariantCulture, out var n) ? n : 0)
            .DefaultIfEmpty().Max();
        var load = MachineWords.LoadNow();
        pairs = pairs == 0 ? DefaultPairs : pairs;
        var (rows, stacked) = await SaturatedBothAsync(pairs);
        IdleRow[] idle = [await IdleAsync(".NET 10", Environment.Version.Major, LoadProcess.StartAsync(0)),
            await IdleAsync(".NET 8", 8, LoadProcess.StartAsync(0, TargetRuntime.Net8))];
        var bursts = (await BurstPrice.OfIdleAsync(), await BurstPrice.OfBlockedAsync());
        var page = PricePage.Of((rows, stacked), idle, bursts, MachineWords.Of([], load));
        Console.WriteLine(page);
        if (args.Contains("--write"))
            await FiguresFile.WriteAsync(PricePage.Name, page);
        return PricePage.GoalsOf(rows).Conclude();
    }

    /// <summary>What saturated targets keep, on this runtime and on .NET 8.</summary>
    public static async Task<(PriceRows Now, StackedRows Net8)> SaturatedBothAsync(int pairs) =>
        (await SaturatedAsync(pairs), await OnNet8Async(pairs));

    // Each kind of session beside a stretch without one, and beside that a pair without any, all in turn:
    // what the machine does meanwhile hits all alike.
    static async Task<PriceRows> SaturatedAsync(int pairs)
    {
        await using var load = await LoadProcess.StartAsync(Environment.ProcessorCount * 4);
        await Task.Delay(Window);
        List<double> basic = [], items = [], nothing = [], rates = [];
        for (var pair = 0; pair < pairs; pair++)
        {
            basic.Add(await PairAsync(load, rates, () => WithSessionAsync(load, CaptureDepth.Basic)));
            nothing.Add(await PairAsync(load, rates, () => MeasureAsync(load)));
            items.Add(await PairAsync(load, rates, () => WithSessionAsync(load, CaptureDepth.Items)));
        }

        return new(new(basic), new(items), new(nothing), new Spread(rates).Median);
    }

    // A process of its own, since two that are saturated would share the processors.
    static async Task<StackedRows> OnNet8Async(int pairs)
    {
        await using var load = await LoadProcess.StartAsync(Environment.ProcessorCount * 4, TargetRuntime.Net8);
        await Task.Delay(Window);
        List<double> basic = [], items = [], rates = [];
        for (var pair = 0; pair < pairs; pair++)
        {
            basic.Add(await PairAsync(load, rates, () => WithSessionAsync(load, CaptureDepth.Basic)));
            items.Add(await PairAsync(load, rates, () => WithStacksAsync(load)));
        }

        return new(new(basic), new(items), new Spread(rates).Median);
    }

    static async Task<double> PairAsync(LoadProcess load, List<double> rates, Func<Task<(double PerCpuSecond, double PerSecond)>> with)
    {
        var without = await MeasureAsync(load);
        rates.Add(without.PerSecond);
        return (await with()).PerCpuSecond / without.PerCpuSecond;
    }

    static async Task<(double PerCpuSecond, double PerSecond)> MeasureAsync(LoadProcess load)
    {
        await Task.Delay(Settle);
        var (stamp, before) = (Stopwatch.GetTimestamp(), await load.ReadAsync());
        await Task.Delay(Window);
        var (after, seconds) = (await load.ReadAsync(), Stopwatch.GetElapsedTime(stamp).TotalSeconds);
        var items = after.Items - before.Items;
        return (items * 1000 / (after.CpuMs - before.CpuMs), items / seconds);
    }

    static async Task<(double PerCpuSecond, double PerSecond)> WithSessionAsync(LoadProcess load, CaptureDepth depth)
    {
        await using var watch = await ThreadPoolWatch.AttachAsync(load.Pid, new WatchOptions { Depth = depth }, CancellationToken.None);
        return await MeasureAsync(load);
    }

    // The session as it is there, without the guard that would end it at this rate.
    static async Task<(double PerCpuSecond, double PerSecond)> WithStacksAsync(LoadProcess load)
    {
        var needs = SideStreamProbes.For(new WatchOptions { Depth = CaptureDepth.Items }, runtimeMajor: 8)!;
        var plan = SessionNeeds.Plan(needs.Probes) with { WithoutStacks = false, BufferMb = 128 };
        await using var session = await LiveSession.OpenAsync(TargetFinder.ByPid(load.Pid), _ => plan, CancellationToken.None);
        _ = new CountingReader(session.Events);
        var measured = await MeasureAsync(load);
        await session.StopAsync(CancellationToken.None);
        return measured;
    }

    static async Task<IdleRow> IdleAsync(string runtime, int major, Task<LoadProcess> starting)
    {
        await using var target = await starting;
        await Task.Delay(Window);
        var without = await IdleCpuAsync(target.Pid, IdleWindow);
        // The first session makes the target compile the code that serves it; the second shows what stays.
        await IdleWithSessionAsync(target.Pid, major, Window);
        var (with, bytes) = await IdleWithSessionAsync(target.Pid, major, IdleWindow);
        return new(runtime, without, with, bytes);
    }

    static async Task<double> IdleCpuAsync(int pid, TimeSpan window)
    {
        var (cpu, stamp) = (CpuClock.Ms(pid), Stopwatch.GetTimestamp());
        await Task.Delay(window);
        return (CpuClock.Ms(pid) - cpu) / Stopwatch.GetElapsedTime(stamp).TotalSeconds;
    }

    static async Task<(double CpuMsPerSecond, double BytesPerSecond)> IdleWithSessionAsync(int pid, int major, TimeSpan window)
    {
        var plan = SessionNeeds.Plan(ProbeSet.Basic(major, WatchOptions.DefaultSampleInterval));
        await using var session = await LiveSession.OpenAsync(TargetFinder.ByPid(pid), _ => plan, CancellationToken.None);
        var counting = new CountingReader(session.Events);
        await Task.Delay(Window);
        var (bytes, stamp) = (counting.Bytes, Stopwatch.GetTimestamp());
        var cpu = await IdleCpuAsync(pid, window);
        var perSecond = (counting.Bytes - bytes) / Stopwatch.GetElapsedTime(stamp).TotalSeconds;
        await session.StopAsync(CancellationToken.None);
        return (cpu, perSecond);
    }
}
