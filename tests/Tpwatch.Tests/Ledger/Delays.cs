using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>Delays of played lives, and the life that most of them begin with.</summary>
static class Delays
{
    /// <summary>Eight workers are blocked, and ninety items wait.</summary>
    public static PoolScript Blocked() => new PoolScript().Opening().CounterSamples(90);

    public static InjectionDelay[] Injections(this PoolScript script) =>
        [.. script.Report().InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation)];

    /// <summary>The last one.</summary>
    public static InjectionDelay Injection(this PoolScript script) => script.Injections()[^1];

    /// <summary>Each delay, called by what its life shows, is judged so.</summary>
    public static void AreJudged(params (string Life, InjectionDelay Delay, DelayVerdict Verdict)[] delays) => Are(g => g.Verdict, delays);

    /// <summary>Each delay, called by what its life shows, has this of it.</summary>
    public static void Are<T>(Func<InjectionDelay, T> part, params (string Life, InjectionDelay Delay, T Expected)[] delays) =>
        Assert.Equal(delays.Select(d => (d.Life, d.Expected)), delays.Select(d => (d.Life, part(d.Delay))));
}
