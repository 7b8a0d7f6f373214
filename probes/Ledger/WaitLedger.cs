using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// The part of the ledger that needs no adjustment event: from counter samples and process readings it finds waits that last, episodes, and
/// times at which the process did not run.
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

    /// <summary>Adds the stretches in which items waited, as of the newest counter sample.</summary>
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

    /// <summary>Records the time that the facts of the stream have reached.</summary>
    public void Passed(EventTime at) => notRunning.See(at);

    /// <summary>Takes a counter sample that is already in the log.</summary>
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
    /// Whether the process was kept from running in the span: it stood still, or a wait that ended with the span is explained by it.
    /// </summary>
    public bool DidNotRun(EventSpan span) =>
        notRunning.StoodStill(span) || book.Since(span.To).Any(gap => gap.End == span.To && gap.Mechanism == Mechanism.G12NotRunning);

    /// <summary>Ends an open wait at an injection; the following time belongs to the delay of that injection.</summary>
    /// <param name="at">The time of the injection.</param>
    /// <param name="hasGrown">Whether the injection gives the pool more threads than ever before.</param>
    public void EndAt(EventTime at, bool hasGrown) => Put(waits.Close(at, hasGrown));

    public void Lose(EventSpan span)
    {
        Judgements.Lose(span);
        Episodes.Lose(span.To);
        // Completions during the loss are unknown, so nothing can be proven across it.
        Beats.Forget();
        Held.Lose(span.To);
    }

    // A hang begins when no item waits any more; the episodes stay ordered by time.
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
