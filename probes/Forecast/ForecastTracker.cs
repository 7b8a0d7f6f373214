using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>Says what comes next and keeps score of it. Takes each fact after the ledger, whose state it reads; event time alone.</summary>
sealed class ForecastTracker(GapLedger ledger, IInjectionPolicy policy) : IFactSink
{
    readonly PredictionTracker predictions = new(policy, ledger);
    readonly StartDelayForecast queue = new(policy);
    EventTime now;
    int? goal;

    /// <summary>What comes next, at the newest event.</summary>
    public PoolForecast Snapshot() => new()
    {
        At = now,
        NextInjection = ledger.Beats.Last is { Backlog: > 0 } && !ledger.IsAtMax
            ? InjectionAhead.Next(policy, Freshest(), predictions.Lateness, now) : null,
        StartDelayOfNewItem = queue.StartDelay,
        BacklogGone = queue.Gone,
        Score = predictions.Score,
    };

    /// <summary>What the backlog drains by; null when nothing waits.</summary>
    public DrainCase? Drains => queue.Drains;

    public void On(in StreamOpened fact) => now = fact.At;

    public void On(in WorkerGoalChanged fact)
    {
        See(fact.At);
        predictions.Happened(fact, ledger.State, goal is null || fact.Goal > goal);
        goal = fact.Goal;
    }

    public void On(in ThroughputSampled fact)
    {
        See(fact.At);
        queue.ItemEnded(fact.At);
    }

    public void On(in WorkerStarted fact)
    {
        See(fact.At);
        queue.WorkerStarted(fact.At);
    }

    public void On(in LimitsChanged fact)
    {
        See(fact.At);
        goal ??= fact.Stand ? null : fact.Min;
    }

    public void On(in CountersRead fact)
    {
        See(fact.At);
        if (ledger.Beats.Last is { } beat)
        {
            queue.Take(beat, WithMax(ledger.State, beat));
            predictions.Covered(beat.At);
        }
    }

    // Taken outside the stream: it says nothing of how far the stream is complete.
    public void On(in ProcessSampled fact)
    {
    }

    public void On(in ClockSeen fact)
    {
    }

    public void On(in EventsLost fact)
    {
        See(fact.At);
        predictions.Lose();
        queue.Forget();
    }

    // A max that is inferred is not among the settings, and no thread comes all the same.
    PoolState WithMax(PoolState state, Heartbeat beat) => ledger.IsAtMax && state.Settings.Max is null && beat.Workers is { } max
        ? state with { Settings = state.Settings with { Max = max } } : state;

    /// <summary>Items that completed let others begin, at a moment that only the heartbeat bounds.</summary>
    PoolState Freshest()
    {
        var state = ledger.State;
        return ledger.Beats.Last is { Completed: > 0 } beat && !(state.LastDequeue >= beat.At)
            ? policy.Apply(state, new PoolInput.Dequeued(beat.At))
            : state;
    }

    public void See(EventTime at) => now = EventTime.Max(now, at);
}
