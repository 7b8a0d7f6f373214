using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Ledger;

/// <summary>
/// Finds waits that no adjustment event ends, from counter samples: undetected starvation (G3), the pool at MaxThreads (G8), detection
/// switched off (G9), a process that did not run (G12), a wedged pool (G14). Each wait is one injection delay, open while the wait lasts.
/// </summary>
sealed class WaitTracker
{
    /// <summary>
    /// Minimum length of a proven wait that counts as starvation, milliseconds: one second, twice the threshold of the runtime's own
    /// starvation detection. The limit is 20 ms lower, because the counter samples that prove the wait may be that much closer together.
    /// </summary>
    public const double AlarmMs = 1000 - CounterSampleLog.SampleJitterMs;

    InjectionDelay? open;
    double longestMs;
    int? stood;
    string whereGrown = "";

    /// <summary>The rule that explains the open wait; null when none is open.</summary>
    public Mechanism? Charged => open?.Mechanism;

    /// <summary>Takes a counter sample.</summary>
    /// <returns>The injection delay to add or replace; null when nothing changed.</returns>
    public InjectionDelay? Take(WaitCase given, Func<int> number)
    {
        var sample = given.Sample;
        if (given.Rule() is not { } rule || (open is not null && open.Mechanism != rule && !IsNowExplained(open.Mechanism, rule)))
        {
            return Close(sample.At, given.State.TargetThreads > stood);
        }

        open ??= Begin(rule, given) with { Number = number() };
        longestMs = Math.Max(longestMs, given.WaitedMs);
        var facts = given.Facts(rule, longestMs);
        var sentence = WaitSentence.Of(facts, hasGrown: false);
        // This sentence is used if the pool grows later. Growth refutes an inferred MaxThreads, but not a known one.
        whereGrown = given.State.Settings.Max is null ? WaitSentence.Of(facts, hasGrown: true) : sentence;
        open = open with
        {
            End = sample.At,
            Cpu = sample.Cpu,
            QueueLength = sample.QueueLength,
            TargetThreadsBefore = given.State.TargetThreads,
            TargetThreadsAfter = given.State.TargetThreads,
            Mechanism = rule,
            Because = given.State.TargetThreads > stood ? whereGrown : sentence,
        };
        // If the pool stays at the size to which it has grown, that size may be MaxThreads.
        stood = Math.Max(stood ?? 0, given.State.TargetThreads ?? 0);
        return open;
    }

    // Whether a new rule explains the same wait better: gate checks during the wait have shown that MaxThreads, unknown before, is reached.
    static bool IsNowExplained(Mechanism before, Mechanism now) => (before, now) == (Mechanism.G3Undetected, Mechanism.G8Ceiling);

    InjectionDelay Begin(Mechanism rule, WaitCase given)
    {
        (longestMs, stood) = (0, given.State.TargetThreads);
        return new()
        {
            Number = 0,
            Start = given.Since,
            StartBasis = Basis.Inferred,
            End = given.Sample.At,
            EndBasis = Basis.Observed,
            Verdict = DelayVerdict.Open,
            Mechanism = rule,
            Because = "",
        };
    }

    /// <summary>Ends the open wait and returns it; null when none was open.</summary>
    /// <param name="at">When the wait ended.</param>
    /// <param name="hasGrown">Whether an added thread ended the wait, which shows that MaxThreads was not reached.</param>
    public InjectionDelay? Close(EventTime at, bool hasGrown = false)
    {
        var closed = open is null ? null
            : open with { Verdict = Closed(open.Mechanism), End = at, Because = hasGrown ? whereGrown : open.Because };
        open = null;
        return closed;
    }

    // A wedged pool did not follow its rule. While the process does not run, no rule applies.
    static DelayVerdict Closed(Mechanism rule) => rule switch
    {
        Mechanism.G14Wedged => DelayVerdict.Late,
        Mechanism.G12NotRunning => DelayVerdict.NoData,
        _ => DelayVerdict.AsExpected,
    };
}

/// <summary>The state at a counter sample, and the rule that explains why items wait.</summary>
/// <param name="CounterSamples">The counter samples, including the newest.</param>
/// <param name="State">The pool as observed so far.</param>
/// <param name="LastRise">Time of the last injection, observed or possibly among lost events; null when there was none.</param>
/// <param name="Hindrances">Hindrances that stopped the process from running.</param>
sealed record WaitCase(CounterSampleLog CounterSamples, PoolState State, EventTime? LastRise, HindranceTracker Hindrances)
{
    /// <summary>
    /// Maximum time since the last injection in which a wait still counts as an injection delay, milliseconds. One injection delay may take
    /// three or four gate checks, 500 ms apart, and the new thread serves some waiting items.
    /// </summary>
    const double InjectionsExplainMs = 3 * WaitTracker.AlarmMs;

    /// <summary>
    /// Minimum standstill of a wedged pool, milliseconds. With no dequeue and idle processors, the gate thread adds a worker thread after
    /// at most two checks and one clock step, 1.05 s. Three times that is not noise.
    /// </summary>
    const double WedgedMs = 3000;

    /// <summary>
    /// MaxThreads counts as reached after this number of gate checks that had to add a thread, and added none. One check may have run just
    /// before the 500 ms without a dequeue were over; two cannot.
    /// </summary>
    const int ChecksThatProve = 2;

    /// <summary>
    /// MaxThreads counts as reached at this expected number of gate checks that had to add a thread, if none was added. The chance that no
    /// such check ran is then one in twenty thousand (e to the minus ten), if the waits begin at random between two checks.
    /// </summary>
    const int OwedThatProve = 10;

    /// <summary>
    /// Maximum interval of a counter sample whose mean processor use holds for its whole interval, milliseconds. Samples are requested each
    /// second and are sometimes a little late.
    /// </summary>
    const double UsualMs = 1000 + 2 * CounterSampleLog.SampleJitterMs;

    /// <summary>Minimum share of a wait that hindrances must cover to be the cause of the wait.</summary>
    const double MostOfIt = 0.5;

    public CounterSample Sample => CounterSamples.Last!;

    /// <summary>Number of worker threads that are known to hold an item.</summary>
    public int KnownHeld { get; init; }

    /// <summary>The highest target thread count so far.</summary>
    public HighestTargetThreads Highest { get; init; }

    /// <summary>How long some item has waited at least, milliseconds: the proven wait, or a longer standstill of the queue.</summary>
    public double WaitedMs { get; } = Math
        .Max(CounterSamples.ProvenWaitMs, CounterSamples.StalledMs >= WedgedMs ? CounterSamples.StalledMs : 0);

    /// <summary>Start of the wait. The time before the last injection belongs to the delay of that injection.</summary>
    public EventTime Since => LastRise is { } rise && rise > Sample.At.PlusMs(-WaitedMs) ? rise : Sample.At.PlusMs(-WaitedMs);

    /// <summary>Time during the wait in which the process did not run, milliseconds.</summary>
    public double HinderedMs => HinderedSince(Since);

    /// <summary>Returns the facts that the sentence of the wait names.</summary>
    public WaitFacts Facts(Mechanism rule, double longestMs) => new(rule, Sample, State, longestMs, HasNoRoom, IsMaxForTaskWaits, Max,
        Sample is { Completed: { } done, IntervalMs: > 0 and { } interval }
            && done * 1000 / interval >= GateTiming.MaskingDequeuesPerSecond,
        CounterSamples.StalledMs, HinderedMs, Hindrances.Since(Since)
            .Where(h => h.Kind != HindranceKind.ProcessorWait && h.Span.To > Since).Select(h => h.Kind).Distinct());

    /// <summary>Returns the rule that explains the wait; null when no item waits for long or when injections explain the wait.</summary>
    public Mechanism? Rule()
    {
        if (Sample.QueueLength is not > 0 || WaitedMs < WaitTracker.AlarmMs)
        {
            return null;
        }

        if (HinderedMs > MostOfIt * Sample.At.MsSince(Since))
        {
            return Mechanism.G12NotRunning;
        }

        // Existing threads above the target thread count are parked. Only a target thread count at MaxThreads stops further threads.
        if (State.Settings.Max is { } max && Sample.Workers >= max && (State.TargetThreads ?? max) >= max)
        {
            return Mechanism.G8Ceiling;
        }

        if (IsMaxForTaskWaits && !MayBeBusy)
        {
            return Mechanism.G8Ceiling;
        }

        var quiet = LastRise is not { } at || RunSince(at) > InjectionsExplainMs;
        return !quiet || MayBeBusy ? null
            : State.Settings.DetectorDisabled ? Mechanism.G9DetectorOff
            : IsWedged && IsBelowMax ? Mechanism.G14Wedged
            : (!IsBelowMax || IsMaxHidden) && IsUnanswered ? Mechanism.G8Ceiling
            : HasNoRoom ? Mechanism.G8Ceiling
            : CounterSamples.CompletedSince(Sample.At.PlusMs(-InjectionsExplainMs)) > 0 ? Mechanism.G3Undetected
            : null;
    }

    /// <summary>MaxThreads if the value is certain; null when a call that set another value may be among lost events.</summary>
    public int? Max => State.Settings.LimitsLost ? null : State.Settings.Max;

    /// <summary>
    /// Whether the processors were or may have been busy. All processor use of a long counter sample may fall into one second of it.
    /// </summary>
    bool MayBeBusy => State.IsBusyAt(Sample.Cpu * Math.Max(1, (Sample.IntervalMs ?? 0) / UsualMs));

    /// <summary>Whether hill climbing shows that MaxThreads, whose value is unknown, is reached.</summary>
    public bool HasNoRoom => State.Settings is { Max: null, NoRoomSince: not null };

    /// <summary>Whether task waits show that MaxThreads, whose value is unknown, is reached.</summary>
    public bool IsMaxForTaskWaits => State.Settings.Max is null && Highest.IsMaxForTaskWaits;

    /// <summary>
    /// Whether the pool is below MaxThreads, as far as known. A known MaxThreads is compared with the number of existing worker threads. If
    /// MaxThreads is unknown, fewer worker threads than processors count as proof, unless all of them hold an item. A MaxThreads below the
    /// processor count is rare, because a call must first set MinThreads that low.
    /// </summary>
    bool IsBelowMax => Max is { } max
        ? Sample.Workers < max
        : Sample.Workers < State.Settings.Processors && KnownHeld < Math.Max(1, Sample.Workers ?? 0);

    /// <summary>
    /// Whether an unknown MaxThreads may be below the processor count: items still complete, so no request for a thread was lost.
    /// </summary>
    bool IsMaxHidden => Max is null && CounterSamples.CompletedSince(Since) > 0;

    /// <summary>
    /// Whether gate checks had to add a thread and added none. Either the counter samples of the wait show this with certainty, or all
    /// samples since the target thread count reached its highest value make it nearly certain. Checks that returned threads removed by hill
    /// climbing are subtracted in the second case.
    /// </summary>
    bool IsUnanswered => CounterSamples.HasUnanswered(ChecksThatProve, EventTime.Max(LastRise ?? Since, Since))
        || CounterSamples.OwedChecks(Top) - Highest.GivenBack - HinderedSince(Top) / GateTiming.AfterHold >= OwedThatProve;

    EventTime Top => Highest.Since ?? CounterSamples.CounterSamples[0].At;

    // Processor use must be known: with busy processors, the pool waits one second for each thread of the target thread count.
    bool IsWedged =>
        Sample.Cpu is not null && CounterSamples.StalledMs - HinderedSince(Sample.At.PlusMs(-CounterSamples.StalledMs)) >= WedgedMs
        && (LastRise is not { } at || RunSince(at) > WedgedMs);

    /// <summary>Returns how long the process ran since a given time, milliseconds. While it does not run, no thread is injected.</summary>
    double RunSince(EventTime at) => Sample.At.MsSince(at) - HinderedSince(at);

    double HinderedSince(EventTime at) =>
        Hindrances.MsWithin(new(at, Sample.At), HindranceKind.Stopped, HindranceKind.Suspension, HindranceKind.Throttled);
}

/// <summary>
/// The part of the ledger that needs no adjustment event. From counter samples and process readings it finds lasting waits, episodes, and
/// times at which the process did not run.
/// </summary>
sealed class CounterSampleLedger : IFactSink
{
    readonly InjectionDelayStore book;
    readonly HindranceTracker hindrances = new();
    readonly StandstillEvidence notRunning;
    readonly WaitTracker waits = new();

    public CounterSampleLedger(InjectionDelayStore book, IInjectionPolicy policy, TargetFacts target)
    {
        this.book = book;
        notRunning = new(hindrances);
        DelayJudgements = new(policy, book, CounterSamples, notRunning, Episodes);
        Held = new(target);
    }

    public CounterSampleLog CounterSamples { get; } = new();
    public EpisodeTracker Episodes { get; } = new();
    public HangTracker Held { get; }
    public DelayJudgements DelayJudgements { get; }
    public HindranceTracker Hindrances => hindrances;

    /// <summary>Whether items wait because MaxThreads, known or inferred, is reached, so that no rule adds a thread.</summary>
    public bool IsAtMax => waits.Charged == Mechanism.G8Ceiling;

    /// <summary>Adds the episodes and possible hangs, as of the newest counter sample, to a snapshot.</summary>
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

    /// <summary>Records the event time that the stream has reached.</summary>
    public void Passed(EventTime at) => notRunning.See(at);

    /// <summary>Takes a counter sample that <see cref="CounterSamples"/> already contains.</summary>
    public void Take(CounterSample sample, PoolState state, EventTime? lastRise, HighestTargetThreads highest)
    {
        var hole = notRunning.Take(sample);
        DelayJudgements.JudgeAgain(sample.At);
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
            DelayJudgements.Reconsider(span.From);
        }
    }

    public void On(in WorkerStarted fact)
    {
        CounterSamples.NewWorkerCounter.Come(1);
        Held.Started(fact);
    }

    public void On(in WorkerStopped fact) => Held.Ended(fact);

    public void On(in WorkerWaited fact)
    {
        CounterSamples.NewWorkerCounter.Slept();
        Held.Slept(fact);
    }

    public void On(in ThreadsSuspended fact) => hindrances.Take(fact);

    public void On(in ProcessSampled fact)
    {
        hindrances.Take(fact.Reading);
        notRunning.Take(fact.Reading);
        DelayJudgements.Reconsider(fact.At.PlusMs(-fact.Reading.IntervalMs));
    }

    /// <summary>Ends an open wait at an injection; the time after the injection belongs to the next injection delay.</summary>
    /// <param name="at">The time of the injection.</param>
    /// <param name="hasGrown">Whether the injection gives the pool more threads than ever before.</param>
    public void EndAt(EventTime at, bool hasGrown) => Put(waits.Close(at, hasGrown));

    public void Lose(EventSpan span)
    {
        DelayJudgements.Lose(span);
        Episodes.Lose(span.To);
        // Completions during the loss are unknown, so no wait can be proven across the loss.
        CounterSamples.Forget();
        Held.Lose(span.To);
    }

    // Inserts the newest hang so that the episodes stay ordered by start.
    ImmutableArray<StarvedEpisode> WithHeld(ImmutableArray<StarvedEpisode> episodes) =>
        Held.Last is { } held ? [.. episodes.Append(held).OrderBy(e => e.Span.From)] : episodes;

    void Put(InjectionDelay? delay)
    {
        if (delay is not null)
        {
            DelayJudgements.Put(delay);
        }
    }
}
