using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// The part of the ledger that needs no adjustment event: what heartbeats and looks from outside tell of waits that last, of episodes, and
/// of a process that did not run.
/// </summary>
sealed class WaitLedger : IFactSink
{
    readonly GapBook book;
    readonly HindranceTracker hindrances = new();
    readonly NotRunning notRunning;
    readonly WaitTracker waits = new();

    public WaitLedger(GapBook book, IInjectionPolicy policy, TargetFacts target)
    {
        this.book = book;
        notRunning = new(hindrances);
        Judgements = new(new(policy), book, Beats, notRunning, Episodes);
        Held = new(target);
    }

    public BeatLog Beats { get; } = new();
    public EpisodeTracker Episodes { get; } = new();
    public HeldTracker Held { get; }
    public Judgements Judgements { get; }
    public HindranceTracker Hindrances => hindrances;

    /// <summary>Whether items wait because MaxThreads, known or inferred, is reached: then no rule adds a thread.</summary>
    public bool IsAtMax => waits.Charged == Mechanism.G8Ceiling;

    /// <summary>The stretches in which items waited, as of the newest heartbeat.</summary>
    public LedgerSnapshot AddTo(LedgerSnapshot snapshot, EventTime now) => snapshot with
    {
        Episodes = WithHeld(Episodes.Snapshot(Beats.Last?.At ?? now, Beats.Last?.IntervalMs ?? 0, Hindrances)),
        MayHang = Held.MayHang,
        DroppedEpisodes = Episodes.Dropped,
        DroppedMs = Episodes.DroppedMs,
    };

    public void On(in StreamOpened fact)
    {
        notRunning.Open(fact.At, fact.Utc);
        Held.Open(fact.At);
    }

    /// <summary>Time has passed, as all facts of the stream say.</summary>
    public void Passed(EventTime at) => notRunning.See(at);

    /// <summary>A heartbeat that is in the log already.</summary>
    public void Take(Heartbeat beat, PoolState state, EventTime? lastRise, HighestGoal highest)
    {
        var hole = notRunning.Take(beat);
        Judgements.JudgeAgain(beat.At);
        Episodes.Take(Beats);
        Held.Take(beat, state.Settings.Processors);
        var given = new WaitCase(Beats, state, lastRise, hindrances) { KnownHeld = Held.KnownHeld, Highest = highest };
        Put(waits.Take(given, book.NextNumber));
        if (waits.Charged is { } rule)
        {
            Episodes.Charge(rule, new(given.Since, beat.At), beat.Cpu, Math.Max(beat.Workers ?? 0, state.Goal ?? 0));
        }

        if (waits.Charged == Mechanism.G8Ceiling && given.HasNoRoom)
        {
            Episodes.HadNoRoom(state.Settings.NoRoomSince!.Value);
        }

        if (hole is { } span)
        {
            Judgements.Reconsider(span.From);
        }
    }

    public void On(in WorkerStarted fact)
    {
        Beats.Newcomers.Come(1);
        Held.Started(fact);
    }

    public void On(in WorkerStopped fact) => Held.Ended(fact);

    public void On(in WorkerWaited fact)
    {
        Beats.Newcomers.Slept();
        Held.Slept(fact);
    }

    public void On(in ThreadsSuspended fact) => hindrances.Take(fact);

    public void On(in ProcessSampled fact)
    {
        hindrances.Take(fact.Reading);
        notRunning.Take(fact.Reading);
        Judgements.Reconsider(fact.At.PlusMs(-fact.Reading.IntervalMs));
    }

    /// <summary>
    /// Whether the process was kept from running in the span: it stood still, or a wait that ended with it is charged to that.
    /// </summary>
    public bool DidNotRun(EventSpan span) =>
        notRunning.StoodStill(span) || book.Since(span.To).Any(gap => gap.End == span.To && gap.Mechanism == Mechanism.G12NotRunning);

    /// <summary>An injection ends a silent wait; what follows is that injection's own gap.</summary>
    /// <param name="at">Its moment.</param>
    /// <param name="hasGrown">Whether the pool has more threads by it than ever before.</param>
    public void EndAt(EventTime at, bool hasGrown) => Put(waits.Close(at, hasGrown));

    public void Lose(EventSpan span)
    {
        Judgements.Lose(span);
        Episodes.Lose(span.To);
        // What completed meanwhile is not known, so nothing can be proven across the loss.
        Beats.Forget();
        Held.Lose(span.To);
    }

    // A hang begins where nothing waits any more; kept in order of time.
    ImmutableArray<StarvedEpisode> WithHeld(ImmutableArray<StarvedEpisode> episodes) =>
        Held.Last is { } held ? [.. episodes.Append(held).OrderBy(e => e.Span.From)] : episodes;

    void Put(Gap? gap)
    {
        if (gap is not null)
        {
            Judgements.Put(gap);
        }
    }
}
