using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>
/// Foretells at each injection when the next one comes, from that fact and those before it alone, and settles it when it is known what
/// came: the heartbeat that covers the time between says whether the condition held.
/// </summary>
sealed class PredictionTracker(IInjectionPolicy policy, GapLedger ledger)
{
    /// <summary>
    /// The stream brings an adjustment so long after it happened (median and 95th percentile of many: 101 and 102 ms). What comes sooner
    /// cannot be foretold by anybody who reads the stream.
    /// </summary>
    public const double DeliveryMs = 102;

    /// <summary>A prediction is still open until so many further ticks have passed without a worker.</summary>
    const int PatienceTicks = 4;

    /// <summary>The answer with which any prediction of ticks must be compared: right for three gaps in four.</summary>
    const int ConstantAnswer = 2;

    readonly List<(Prediction Prediction, EventTime Came)> unsettled = [];
    Prediction? standing;
    EventTime? lastTick;

    /// <summary>What became of the predictions so far.</summary>
    public ForecastScore Score { get; private set; } = ForecastScore.None;

    /// <summary>How late the gate's ticks have been.</summary>
    public TickLateness Lateness { get; } = new();

    /// <summary>The goal changed; <paramref name="state"/> is the ledger's after it.</summary>
    public void Happened(in WorkerGoalChanged fact, PoolState state, bool rises)
    {
        var kind = fact.Reason switch
        {
            AdjustmentReason.Starvation => TickKind.Periodic,
            AdjustmentReason.CooperativeBlocking when rises => TickKind.CooperativeDelay,
            _ => (TickKind?)null,
        };
        Settle(fact, kind);
        lastTick = kind == TickKind.Periodic ? fact.At : null;
        // A thread that was added shows that no inferred max was reached; one that is known is among the settings.
        var next = kind is null ? null : InjectionAhead.Next(policy, state, Lateness, fact.At);
        // After a tick it is foretold, too, that no tick adds a worker; after a step nothing is said then.
        standing = next is null && kind != TickKind.Periodic ? null : new(fact.At, next);
    }

    /// <summary>A heartbeat has come: what it covers can be settled.</summary>
    public void Covered(EventTime at)
    {
        foreach (var (prediction, came) in unsettled.Where(one => one.Came <= at))
        {
            Count(prediction, Judge(prediction, came), came);
        }

        unsettled.RemoveAll(one => one.Came <= at);
        if (standing is { Next: { } next } open && at.MsSince(next.At) > PatienceTicks * GateTiming.AfterHold)
        {
            Count(open, OfNoWorker(open.Made, next, at));
            standing = null;
        }
    }

    /// <summary>Events were lost: what stands cannot be settled any more.</summary>
    public void Lose()
    {
        Score = Score with { Unknown = Score.Unknown + unsettled.Count + One(standing is { Next: not null }) };
        unsettled.Clear();
        (standing, lastTick) = (null, null);
    }

    void Settle(in WorkerGoalChanged fact, TickKind? kind)
    {
        if (kind == TickKind.Periodic && lastTick is { } last && fact.At.MsSince(last) <= GateTiming.MaxUnseenTicks * GateTiming.AfterHold)
        {
            Lateness.Take(TicksBetween(last, fact.At), fact.At.MsSince(last));
        }

        if (standing is not { } open)
        {
            return;
        }

        if (open.Next is null ? kind == TickKind.Periodic : kind is not null && open.IsStep == (kind == TickKind.CooperativeDelay))
        {
            unsettled.Add((open, fact.At));
        }
        else if (open.Next is not null)
        {
            Count(open, PredictionOutcome.ConditionNotMet);
        }
    }

    static int TicksBetween(EventTime from, EventTime to) =>
        1 + (int)Math.Round((to.MsSince(from) - GateTiming.AfterInjection) / GateTiming.AfterHold);

    PredictionOutcome Judge(Prediction prediction, EventTime came)
    {
        var span = new EventSpan(prediction.Made, came);
        var completed = ledger.Beats.MayHaveCompleted(span.From, span.To);
        return completed is null ? PredictionOutcome.Unknown
            : completed.Value || ledger.DidNotRun(span) ? PredictionOutcome.ConditionNotMet
            : prediction.Next is not { } next ? PredictionOutcome.Missed
            : next.At.MsSince(prediction.Made) <= DeliveryMs ? PredictionOutcome.NotForeseeable
            : IsRight(prediction, next, came) ? PredictionOutcome.Right
            : PredictionOutcome.Wrong;
    }

    static bool IsRight(Prediction prediction, NextInjection next, EventTime came) => prediction.IsStep
        ? came.MsSince(next.At) is >= -CooperativeSchedule.EarlyMs and <= CooperativeSchedule.LateMs
        : TicksBetween(prediction.Made, came) == TicksBetween(prediction.Made, next.At);

    /// <summary>No worker came for long: either its condition did not hold, or it was invented.</summary>
    PredictionOutcome OfNoWorker(EventTime made, NextInjection next, EventTime at)
    {
        var completed = ledger.Beats.MayHaveCompleted(made, next.At);
        var waits = ledger.Beats.Beats.Where(b => b.At >= made && b.At <= at).All(b => b.Backlog > 0);
        return completed is null ? PredictionOutcome.Unknown
            : completed.Value || !waits || ledger.State.Settings.Max is null || ledger.DidNotRun(new(made, at))
                ? PredictionOutcome.ConditionNotMet
            : PredictionOutcome.Invented;
    }

    void Count(Prediction prediction, PredictionOutcome outcome, EventTime? came = null) => Score = outcome switch
    {
        PredictionOutcome.NotForeseeable => Score with { NotForeseeable = Score.NotForeseeable + 1 },
        PredictionOutcome.ConditionNotMet => Score with { ConditionNotMet = Score.ConditionNotMet + 1 },
        PredictionOutcome.Unknown => Score with { Unknown = Score.Unknown + 1 },
        PredictionOutcome.Invented => Score with { Invented = Score.Invented + 1 },
        PredictionOutcome.Missed => Score with { Missed = Score.Missed + 1 },
        _ when prediction.IsStep =>
            Score with { Steps = new(Score.Steps.Made + 1, Score.Steps.Right + One(outcome == PredictionOutcome.Right)) },
        _ => Score with { Ticks = Counted(prediction, outcome == PredictionOutcome.Right, TicksBetween(prediction.Made, came!.Value)) },
    };

    TickScore Counted(Prediction prediction, bool right, int ticks)
    {
        var (sure, two) = (prediction.Next!.Sure, ticks == ConstantAnswer);
        return new(
            Score.Ticks.Made + 1, Score.Ticks.Right + One(right), Score.Ticks.SureMade + One(sure),
            Score.Ticks.SureRight + One(sure && right), Score.Ticks.ConstantTwoRight + One(two));
    }

    static int One(bool yes) => yes ? 1 : 0;

    /// <summary>What was said of the next worker after one injection; null: that none comes.</summary>
    sealed record Prediction(EventTime Made, NextInjection? Next)
    {
        public bool IsStep => Next?.Mechanism == Mechanism.G4CooperativeStep;
    }
}
