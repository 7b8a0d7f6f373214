using System.Diagnostics;
using Tpwatch.Sessions;
using Tpwatch.Targets;

namespace Tpwatch.Lab;

/// <summary>What a load did in a stretch of time, or that as a share of what it did in another.</summary>
/// <param name="PerCpuSecond">Items a second of its own processor time.</param>
/// <param name="PerSecond">Items a second.</param>
/// <param name="LongestMs">Of a load that ticks, its longest tick, milliseconds.</param>
readonly record struct Stretch(double PerCpuSecond, double PerSecond, double LongestMs)
{
    public Stretch Against(Stretch other) =>
        new(PerCpuSecond / other.PerCpuSecond, PerSecond / other.PerSecond, LongestMs / other.LongestMs);
}

/// <summary>The shares of all stretches of a kind.</summary>
sealed class Shares(IReadOnlyCollection<Stretch> all)
{
    public Spread PerCpuSecond { get; } = new(all.Select(one => one.PerCpuSecond));

    public Spread PerSecond { get; } = new(all.Select(one => one.PerSecond));

    public Spread LongestMs { get; } = new(all.Select(one => one.LongestMs));
}

/// <summary>
/// Stretches of a load with something that may cost it, each after one without, all in turn: what the machine does meanwhile hits all
/// alike.
/// </summary>
/// <param name="load">The load.</param>
/// <param name="window">How long a stretch is.</param>
/// <param name="settle">How long nothing is measured before it; null is half a second.</param>
sealed class Turns(LoadProcess load, TimeSpan window, TimeSpan? settle = null)
{
    static readonly TimeSpan Settle = TimeSpan.FromSeconds(0.5);

    public int Pid => load.Pid;

    /// <summary>Takes the pairs: the median rate of the stretches without, and what is left of it with each kind.</summary>
    public async Task<(double PerSecond, Shares[] Kinds)> TakeAsync(int pairs, params Func<Task<Stretch>>[] kinds)
    {
        List<double> rates = [];
        List<Stretch>[] shares = [.. kinds.Select(_ => new List<Stretch>())];
        for (var pair = 0; pair < pairs; pair++)
        {
            foreach (var (kind, with) in kinds.Index())
            {
                var without = await MeasureAsync();
                rates.Add(without.PerSecond);
                shares[kind].Add((await with()).Against(without));
            }
        }

        return (new Spread(rates).Median, [.. shares.Select(all => new Shares(all))]);
    }

    /// <summary>A stretch as it is.</summary>
    public Task<Stretch> MeasureAsync() => MeasureAsync(() => Task.Delay(window));

    /// <summary>A stretch that is as long as something takes.</summary>
    public async Task<Stretch> MeasureAsync(Func<Task> meanwhile)
    {
        await Task.Delay(settle ?? Settle);
        var (stamp, before) = (Stopwatch.GetTimestamp(), await load.ReadAsync());
        await meanwhile();
        var (after, seconds) = (await load.ReadAsync(), Stopwatch.GetElapsedTime(stamp).TotalSeconds);
        var items = after.Items - before.Items;
        return new(items * 1000 / (after.CpuMs - before.CpuMs), items / seconds, after.LongestMs);
    }

    /// <summary>A stretch with a session that is read and not decoded.</summary>
    public async Task<Stretch> WithSessionAsync(SessionPlan plan)
    {
        await using var session = await LiveSession.OpenAsync(TargetFinder.ByPid(load.Pid), _ => plan, CancellationToken.None);
        _ = new CountingReader(session.Events);
        var measured = await MeasureAsync();
        await session.StopAsync(CancellationToken.None);
        return measured;
    }
}
