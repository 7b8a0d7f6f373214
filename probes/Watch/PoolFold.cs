using Tpwatch.Diagnosis;
using Tpwatch.Events;
using Tpwatch.Forecast;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Watch;

/// <summary>What the pool's facts are folded into: timeline, then ledger, then the forecast, which reads the ledger.</summary>
sealed class PoolFold
{
    /// <param name="target">What is known of the target without its events.</param>
    /// <param name="source">Where the facts come from.</param>
    public PoolFold(TargetFacts target, SessionSource source)
    {
        var policy = new PortablePolicy();
        (Timeline, Ledger) = (new(target, source), new(target, policy));
        Forecast = new(Ledger, policy);
    }

    public PoolTimeline Timeline { get; }
    public GapLedger Ledger { get; }
    public ForecastTracker Forecast { get; }

    /// <summary>
    /// Where the facts go; <paramref name="before"/> is told the time of each first, <paramref name="more"/> get them after the fold.
    /// </summary>
    public IFactSink Sink(Action<EventTime>? before = null, params IFactSink[] more) =>
        new FactFanOut(before ?? (_ => { }), [Timeline, Ledger, Forecast, .. more]);

    /// <summary>What is known so far and what it means.</summary>
    public PoolReport Report(SessionEnd end) => ReportBuilder.Build(Timeline.Snapshot(), Ledger.Snapshot(), end, Forecast.Snapshot());
}
