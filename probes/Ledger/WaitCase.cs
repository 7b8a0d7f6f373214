using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>The state at a counter sample at which items wait, and the rule that explains the wait.</summary>
/// <param name="CounterSamples">The counter samples, including the newest.</param>
/// <param name="State">The pool as observed so far.</param>
/// <param name="LastRise">The last injection.</param>
/// <param name="Hindrances">Hindrances that stopped the process from running.</param>
sealed record WaitCase(CounterSampleLog CounterSamples, PoolState State, EventTime? LastRise, HindranceTracker Hindrances)
{
    /// <summary>
    /// The longest time between injections that still explain the wait, milliseconds: three seconds, because a single injection delay of
    /// the gate thread may take three or four checks, and a new worker thread takes an item or two before others wait as long again.
    /// </summary>
    const double InjectionsExplainMs = 3 * WaitTracker.AlarmMs;

    /// <summary>
    /// How long a pool must stand still to count as wedged, milliseconds. With no dequeue and idle processors the gate thread adds a worker
    /// thread after at most two checks and one step of the clock, 1.05 s. Three times that is not noise.
    /// </summary>
    const double WedgedMs = 3000;

    /// <summary>
    /// The number of unanswered gate checks that prove MaxThreads. One check may fall on the edge of the half second that the rule
    /// requires; two do not.
    /// </summary>
    const int ChecksThatProve = 2;

    /// <summary>
    /// The mean number of owed gate checks that proves MaxThreads. With this mean, no check falls into the owed time in one case of twenty
    /// thousand (e to the minus ten), if the rest of each stretch is anywhere between two checks.
    /// </summary>
    const int OwedThatProve = 10;

    /// <summary>
    /// The longest interval of a counter sample whose mean counts as the processor use, milliseconds: samples are requested each second and
    /// are sometimes a little late.
    /// </summary>
    const double UsualMs = 1000 + 2 * CounterSampleLog.SampleJitterMs;

    /// <summary>The share of a wait that hindrances must cover to be its cause.</summary>
    const double MostOfIt = 0.5;

    public CounterSample Sample => CounterSamples.Last!;

    /// <summary>The number of worker threads that are known to hold an item.</summary>
    public int KnownHeld { get; init; }

    /// <summary>The highest target thread count so far.</summary>
    public HighestTargetThreads Highest { get; init; }

    /// <summary>How long some item has waited at least, milliseconds: proven, or shown by a queue length that does not change.</summary>
    public double WaitedMs { get; } = Math
        .Max(CounterSamples.ProvenWaitMs, CounterSamples.StalledMs >= WedgedMs ? CounterSamples.StalledMs : 0);

    /// <summary>When the wait begins. The time before the last injection belongs to the delay of that injection.</summary>
    public EventTime Since => LastRise is { } rise && rise > Sample.At.PlusMs(-WaitedMs) ? rise : Sample.At.PlusMs(-WaitedMs);

    /// <summary>How long the process did not run during the wait, milliseconds.</summary>
    public double HinderedMs => HinderedSince(Since);

    /// <summary>The rule that explains the wait; null when no item waits for long, or injections explain the wait.</summary>
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

        // Existing worker threads above the target thread count are parked; only a target at MaxThreads keeps the rules from adding one.
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

    /// <summary>MaxThreads if it is certain: a call that set another value may be among lost events.</summary>
    public int? Max => State.Settings.LimitsLost ? null : State.Settings.Max;

    /// <summary>
    /// Whether the processors were or may have been busy: the use in a longer counter sample may all belong to one second of it.
    /// </summary>
    bool MayBeBusy => State.IsBusyAt(Sample.Cpu * Math.Max(1, (Sample.IntervalMs ?? 0) / UsualMs));

    /// <summary>Whether hill climbing shows that MaxThreads is reached when its value is unknown.</summary>
    public bool HasNoRoom => State.Settings is { Max: null, NoRoomSince: not null };

    /// <summary>Whether task waits show that MaxThreads is reached when its value is unknown.</summary>
    public bool IsMaxForTaskWaits => State.Settings.Max is null && Highest.IsMaxForTaskWaits;

    /// <summary>
    /// Whether MaxThreads is not reached, as far as known. When its value is unknown, fewer worker threads than processors count as proof:
    /// only a call that first set MinThreads below the processor count can set MaxThreads there, and then those worker threads hold an
    /// item. MaxThreads is compared with the existing worker threads, which may be more than the target thread count: the target falls
    /// while they hold an item, and an unseen call may have raised MaxThreads.
    /// </summary>
    bool IsBelowMax => Max is { } max
        ? Sample.Workers < max
        : Sample.Workers < State.Settings.Processors && KnownHeld < Math.Max(1, Sample.Workers ?? 0);

    /// <summary>
    /// Whether an unknown MaxThreads may be below the processor count: items are dequeued, so no request for a thread is lost.
    /// </summary>
    bool IsMaxHidden => Max is null && CounterSamples.CompletedSince(Since) > 0;

    /// <summary>
    /// Whether the condition of the gate thread held and no thread was added: certainly in this wait, or by all counter samples since the
    /// target thread count last reached a new maximum. Threads that hill climbing removed and the gate thread returned were below
    /// MaxThreads, and each return was the result of a check.
    /// </summary>
    bool IsUnanswered => CounterSamples.HasUnanswered(ChecksThatProve, EventTime.Max(LastRise ?? Since, Since))
        || CounterSamples.OwedChecks(Top) - Highest.GivenBack - HinderedSince(Top) / GateTiming.AfterHold >= OwedThatProve;

    EventTime Top => Highest.Since ?? CounterSamples.CounterSamples[0].At;

    // Without a reading of the processors, the pool may wait one second for each thread of the target thread count.
    bool IsWedged =>
        Sample.Cpu is not null && CounterSamples.StalledMs - HinderedSince(Sample.At.PlusMs(-CounterSamples.StalledMs)) >= WedgedMs
        && (LastRise is not { } at || RunSince(at) > WedgedMs);

    /// <summary>How long the process ran since a given time, milliseconds: while it does not run, the gate thread cannot inject.</summary>
    double RunSince(EventTime at) => Sample.At.MsSince(at) - HinderedSince(at);

    double HinderedSince(EventTime at) =>
        Hindrances.MsWithin(new(at, Sample.At), HindranceKind.Stopped, HindranceKind.Suspension, HindranceKind.Throttled);
}
