using System.Diagnostics;
using System.Globalization;
using Tpwatch.Attach;
using Tpwatch.Events;

namespace Tpwatch.Benchmarks;

/// <summary>
/// What attaching costs a target. Saturated: items per processor-second of the target with a session against without, in pairs, beside
/// pairs without any session, which show how much the machine alone makes of it. Idle: processor time a second, and bytes of the stream.
/// </summary>
static class Price
{
    const int DefaultPairs = 12;
    static readonly TimeSpan Window = TimeSpan.FromSeconds(2);
    static readonly TimeSpan Settle = TimeSpan.FromSeconds(0.5);
    static readonly TimeSpan IdleWindow = TimeSpan.FromSeconds(20);

    public static async Task<int> RunAsync(string[] args)
    {
        var pairs = args is [var text] ? int.Parse(text, CultureInfo.InvariantCulture) : DefaultPairs;
        await SaturatedAsync(pairs);
        await IdleAsync();
        return 0;
    }

    static async Task SaturatedAsync(int pairs)
    {
        await using var load = await LoadProcess.StartAsync(Environment.ProcessorCount * 4);
        await Task.Delay(Window);
        List<double> session = [], nothing = [], rates = [];
        for (var pair = 0; pair < pairs; pair++)
        {
            var (off, on) = (await MeasureAsync(load), await WithSessionAsync(load.Pid, () => MeasureAsync(load)));
            var (first, second) = (await MeasureAsync(load), await MeasureAsync(load));
            session.Add(on.PerCpuSecond / off.PerCpuSecond);
            nothing.Add(second.PerCpuSecond / first.PerCpuSecond);
            rates.AddRange([off.PerSecond, first.PerSecond, second.PerSecond]);
        }

        Console.WriteLine($"saturated, {Format.Count((long)new Spread(rates).Median)} items/s; items per CPU-second of the target, median (min..max), pairs");
        Console.WriteLine($"  session / none  {new Spread(session).Ratio()}");
        Console.WriteLine($"  none / none     {new Spread(nothing).Ratio()}");
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

    static async Task<T> WithSessionAsync<T>(int pid, Func<Task<T>> measure)
    {
        await using var watch = await ThreadPoolWatch.AttachAsync(pid, CancellationToken.None);
        return await measure();
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
