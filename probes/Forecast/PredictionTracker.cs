using Tpwatch.Basics;
using Tpwatch.Events.Facts;
using Tpwatch.Ledger;
using Tpwatch.Model;
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

    readonly PredictionBook book = new();
    readonly List<InjectionPrediction> unsettled = [];
    InjectionPrediction? standing;
    EventTime? noneForetoldSince;
    EventTime? lastTick;

    public ForecastScore Score => book.Score;

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
        noneForetoldSince = null;
        standing = kind is null ? null : InjectionAhead.First(policy, state, Lateness);
        if (kind == TickKind.Periodic && standing is null)
        {
            noneForetoldSince = fact.At;
        }
    }

    /// <summary>A heartbeat has come: what it covers can be settled.</summary>
    public void Covered(EventTime at)
    {
        foreach (var prediction in unsettled.Where(p => p.Came <= at))
        {
            book.Add(Judge(prediction));
        }

        unsettled.RemoveAll(p => p.Came <= at);
        if (standing is { } open && at.MsSince(open.Expected) > PatienceTicks * GateTiming.AfterHold)
        {
            GiveUp(open, at);
        }
    }

    /// <summary>Events were lost: what stands cannot be settled any more.</summary>
    public void Lose()
    {
        foreach (var prediction in unsettled.Append(standing).OfType<InjectionPrediction>())
        {
            book.Add(prediction with { Outcome = PredictionOutcome.Unknown });
        }

        unsettled.Clear();
        (standing, noneForetoldSince, lastTick) = (null, null, null);
    }

    void Settle(in WorkerGoalChanged fact, TickKind? kind)
    {
        if (kind == TickKind.Periodic && lastTick is { } last && fact.At.MsSince(last) <= GateTiming.MaxUnseenTicks * GateTiming.AfterHold)
        {
            Lateness.Take(TicksBetween(last, fact.At), fact.At.MsSince(last));
        }

        if (noneForetoldSince is { } since && kind == TickKind.Periodic)
        {
            unsettled.Add(new(
                since, fact.At, Mechanism.G1GateTick, null, Sure: false)
            { Came = fact.At, Outcome = PredictionOutcome.Missed });
        }

        if (standing is not { } open)
        {
            return;
        }

        var same = kind is not null && open.Ticks is null == (kind == TickKind.CooperativeDelay);
        if (!same)
        {
            book.Add(open with { Outcome = PredictionOutcome.ConditionNotMet });
            return;
        }

        var ticks = open.Ticks is null ? (int?)null : TicksBetween(open.Made, fact.At);
        unsettled.Add(open with { Came = fact.At, CameTicks = ticks });
    }

    static int TicksBetween(EventTime from, EventTime to) =>
        1 + (int)Math.Round((to.MsSince(from) - GateTiming.AfterInjection) / GateTiming.AfterHold);

    InjectionPrediction Judge(InjectionPrediction prediction)
    {
        var span = new EventSpan(prediction.Made, prediction.Came!.Value);
        var completed = ledger.Beats.MayHaveCompleted(span.From, span.To);
        if (completed != false || ledger.DidNotRun(span))
        {
            return prediction with { Outcome = completed is null ? PredictionOutcome.Unknown : PredictionOutcome.ConditionNotMet };
        }

        if (prediction.Outcome == PredictionOutcome.Missed)
        {
            return prediction;
        }

        return prediction with
        {
            Outcome = prediction.Expected.MsSince(prediction.Made) <= DeliveryMs ? PredictionOutcome.NotForeseeable
                : IsRight(prediction) ? PredictionOutcome.Right
                : PredictionOutcome.Wrong,
        };
    }

    static bool IsRight(InjectionPrediction prediction) => prediction.Ticks is { } ticks
        ? prediction.CameTicks == ticks
        : prediction.ErrorMs is >= -CooperativeSchedule.EarlyMs and <= CooperativeSchedule.LateMs;

    /// <summary>No worker came for long: either its condition did not hold, or it was invented.</summary>
    void GiveUp(InjectionPrediction open, EventTime at)
    {
        var completed = ledger.Beats.MayHaveCompleted(open.Made, open.Expected);
        var waits = ledger.Beats.Beats.Where(b => b.At >= open.Made && b.At <= at).All(b => b.Backlog > 0);
        var outcome = completed is null ? PredictionOutcome.Unknown
            : completed.Value || !waits || ledger.State.Settings.Max is null
                || ledger.DidNotRun(new(open.Made, at)) ? PredictionOutcome.ConditionNotMet
            : PredictionOutcome.Invented;
        book.Add(open with { Outcome = outcome });
        standing = null;
    }
}
