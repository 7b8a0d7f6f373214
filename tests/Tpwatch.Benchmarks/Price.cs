using System.Diagnostics;
using System.Globalization;
using Tpwatch.Attach;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Events;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.Benchmarks;

/// <summary>
/// What attaching costs a target. Saturated: items per processor-second of the target with a session against without, in pairs, beside
/// pairs without any session, which show how much the machine alone makes of it; and one burst of stacks. With --write the section of
/// tests/SCORES.md is written, with --idle processor time a second and bytes of the stream of an idle target are measured too.
/// </summary>
static class Price
{
    const int DefaultPairs = 12;
    static readonly TimeSpan Window = TimeSpan.FromSeconds(2);
    static readonly TimeSpan Settle = TimeSpan.FromSeconds(0.5);
    static readonly TimeSpan IdleWindow = TimeSpan.FromSeconds(20);

    public static async Task<int> RunAsync(string[] args)
    {
        var pairs = args.Select(a => int.TryParse(a, NumberStyles.None, CultureInfo.InvariantCulture, out var n) ? n : 0).DefaultIfEmpty().Max();
        var load = MachineWords.LoadNow();
        pairs = pairs == 0 ? DefaultPairs : pairs;
        var rows = await SaturatedAsync(pairs);
        var stacked = await OnNet8Async(pairs);
        var burst = await BurstPrice.MeasureAsync();
        var page = PricePage.Of((rows, stacked), burst, MachineWords.Of([], load));
        Console.WriteLine(page);
        if (args.Contains("--write"))
        {
            var file = Path.Combine(BuiltPrograms.Root, "tests", "SCORES.md");
            await File.WriteAllTextAsync(file, GeneratedPart.Replace(await File.ReadAllTextAsync(file), PricePage.Name, page));
        }

        if (args.Contains("--idle"))
        {
            await IdleAsync();
        }

        return 0;
    }

    // Each kind of session beside a stretch without one, and beside that a pair without any, all in turn: what the machine does meanwhile hits all alike.
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
        var needs = DeepProbes.For(new WatchOptions { Depth = CaptureDepth.Items }, runtimeMajor: 8)!;
        var plan = SessionNeeds.Plan(needs.Probes) with { WithoutStacks = false, BufferMb = 128 };
        await using var session = await LiveSession.OpenAsync(TargetFinder.ByPid(load.Pid), _ => plan, CancellationToken.None);
        _ = new CountingReader(session.Events);
        var measured = await MeasureAsync(load);
        await session.StopAsync(CancellationToken.None);
        return measured;
    }

    static async Task IdleAsync()
    {
        await using var target = await LoadProcess.StartAsync(0);
        await Task.Delay(Window);
        var without = await IdleCpuAsync(target.Pid);
        var (cold, bytes) = await IdleWithSessionAsync(target.Pid);
        // The first session makes the target compile the code that serves it; the second shows what stays.
        var (warm, _) = await IdleWithSessionAsync(target.Pid);
        var after = await IdleCpuAsync(target.Pid);
        Console.WriteLine(FormattableString.Invariant($"idle target, CPU ms/s over {IdleWindow.TotalSeconds:0} s"));
        Console.WriteLine(FormattableString.Invariant($"  before {without:0.000}, first session {cold:0.00}, second session {warm:0.00}, after {after:0.000}"));
        Console.WriteLine($"  stream {Format.Count((long)bytes)} bytes/s");
    }

    static async Task<double> IdleCpuAsync(int pid)
    {
        var (cpu, stamp) = (CpuClock.Ms(pid), Stopwatch.GetTimestamp());
        await Task.Delay(IdleWindow);
        return (CpuClock.Ms(pid) - cpu) / Stopwatch.GetElapsedTime(stamp).TotalSeconds;
    }

    static async Task<(double CpuMsPerSecond, double BytesPerSecond)> IdleWithSessionAsync(int pid)
    {
        var plan = SessionNeeds.Plan(ProbeSet.Basic(Environment.Version.Major, WatchOptions.DefaultHeartbeat));
        await using var session = await LiveSession.OpenAsync(TargetFinder.ByPid(pid), _ => plan, CancellationToken.None);
        var counting = new CountingReader(session.Events);
        await Task.Delay(Window);
        var (bytes, stamp) = (counting.Bytes, Stopwatch.GetTimestamp());
        var cpu = await IdleCpuAsync(pid);
        var perSecond = (counting.Bytes - bytes) / Stopwatch.GetElapsedTime(stamp).TotalSeconds;
        await session.StopAsync(CancellationToken.None);
        return (cpu, perSecond);
    }
}
