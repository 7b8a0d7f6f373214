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
    readonly DelayBook book;
    readonly HindranceTracker hindrances = new();
    readonly NotRunning notRunning;
    readonly WaitTracker waits = new();

    public WaitLedger(DelayBook book, IInjectionPolicy policy, TargetFacts target)
    {
        this.book = book;
        notRunning = new(hindrances);
        Judgements = new(policy, book, CounterSamples, notRunning, Episodes);
        Held = new(target);
    }

    public CounterSampleLog CounterSamples { get; } = new();
    public EpisodeTracker Episodes { get; } = new();
    public HeldTracker Held { get; }
    public Judgements Judgements { get; }
    public HindranceTracker Hindrances => hindrances;

    /// <summary>Whether items wait because MaxThreads, known or inferred, is reached: then no rule adds a thread.</summary>
    public bool IsAtMax => waits.Charged == Mechanism.G8Ceiling;

    /// <summary>Adds the stretches in which items waited, as of the newest counter sample.</summary>
    public LedgerSnapshot AddTo(LedgerSnapshot snapshot, EventTime now) => snapshot with
    {
        Episodes = WithHeld(Episodes.Snapshot(CounterSamples.Last?.At ?? now, CounterSamples.Last?.IntervalMs ?? 0, Hindrances)),
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
    public void Take(CounterSample sample, PoolState state, EventTime? lastRise, HighestTargetThreads highest)
    {
        var hole = notRunning.Take(sample);
        Judgements.JudgeAgain(sample.At);
        Episodes.Take(CounterSamples);
        Held.Take(sample, state.Settings.Processors);
        var given = new WaitCase(CounterSamples, state, lastRise, hindrances) { KnownHeld = Held.KnownHeld, Highest = highest };
        Put(waits.Take(given, book.NextNumber));
        if (waits.Charged is { } rule)
        {
            Episodes.Charge(rule, new(given.Since, sample.At), sample.Cpu, Math.Max(sample.Workers ?? 0, state.TargetThreads ?? 0));
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
        CounterSamples.NewWorkerLog.Come(1);
        Held.Started(fact);
    }

    public void On(in WorkerStopped fact) => Held.Ended(fact);

    public void On(in WorkerWaited fact)
    {
        CounterSamples.NewWorkerLog.Slept();
        Held.Slept(fact);
    }

    public void On(in ThreadsSuspended fact) => hindrances.Take(fact);

    public void On(in ProcessSampled fact)
    {
        hindrances.Take(fact.Reading);
        notRunning.Take(fact.Reading);
        Judgements.Reconsider(fact.At.PlusMs(-fact.Reading.IntervalMs));
    }

    /// <summary>Ends an open wait at an injection; the following time belongs to the delay of that injection.</summary>
    /// <param name="at">The time of the injection.</param>
    /// <param name="hasGrown">Whether the injection gives the pool more threads than ever before.</param>
    public void EndAt(EventTime at, bool hasGrown) => Put(waits.Close(at, hasGrown));

    public void Lose(EventSpan span)
    {
        Judgements.Lose(span);
        Episodes.Lose(span.To);
        // Completions during the loss are unknown, so nothing can be proven across it.
        CounterSamples.Forget();
        Held.Lose(span.To);
    }

    // A hang begins when no item waits any more; the episodes stay ordered by time.
    ImmutableArray<StarvedEpisode> WithHeld(ImmutableArray<StarvedEpisode> episodes) =>
        Held.Last is { } held ? [.. episodes.Append(held).OrderBy(e => e.Span.From)] : episodes;

    void Put(InjectionDelay? delay)
    {
        if (delay is not null)
        {
            Judgements.Put(delay);
        }
    }
}
