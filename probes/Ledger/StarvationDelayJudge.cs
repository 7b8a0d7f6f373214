using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Ledger;

/// <summary>
/// Judges the injection delay that ends with a starvation injection (G1, G2): decides for each gate check of the delay whether it could and
/// whether it had to add a thread.
/// </summary>
sealed class StarvationDelayJudge(IInjectionPolicy policy, StarvationCase given, CounterSampleLog samples)
{
    /// <summary>Maximum time between an injection and the predicted gate check that made it, milliseconds: half a check interval.</summary>
    const double SameCheckMs = GateTiming.AfterHold / 2;

    public static InjectionDelay Judge(IInjectionPolicy policy, StarvationCase given, CounterSampleLog samples) =>
        new StarvationDelayJudge(policy, given, samples).Judged();

    InjectionDelay Judged()
    {
        var start = StartOf();
        var delay = new InjectionDelay
        {
            Number = given.Number,
            Start = start,
            StartBasis = start is null ? Basis.Unknown : Basis.Observed,
            End = given.At,
            EndBasis = Basis.Observed,
            Reason = AdjustmentReason.Starvation,
            TargetThreadsBefore = given.Before.TargetThreads ?? given.TargetThreadsAfter - 1,
            TargetThreadsAfter = given.TargetThreadsAfter,
            Verdict = DelayVerdict.NotTimed,
            Mechanism = Mechanism.G1GateTick,
            Because = StarvationSentence.Untimed(given.Before.Settings),
            Cpu = samples.CpuAt(given.At),
            QueueLength = samples.QueueLengthAround(given.At),
        };
        return given.IsLost ? delay with { Verdict = DelayVerdict.NoData, Because = DelayReasons.Lost }
            : start is { } dequeue && given.Before.LastCheck is null && IsStale(dequeue)
            ? delay with { Start = null, StartBasis = Basis.Unknown }
            : start is null || given.Before.LastCheck is null ? delay
            : Decided() is { } checks ? Timed(delay, checks)
            : delay with { Because = StarvationSentence.PhaseLost };
    }

    /// <summary>
    /// Whether the last known dequeue cannot be the start of the delay. True if items have completed since, because they were dequeued
    /// later, without an event. If completions are unknown, true if the dequeue is long ago.
    /// </summary>
    bool IsStale(EventTime dequeue) =>
        samples.MayHaveCompleted(dequeue, given.At) ?? given.At.MsSince(dequeue) > GateTiming.MaxUnseenChecks * GateTiming.AfterHold;

    EventTime? StartOf()
    {
        var dequeue = given.Dequeues.Length > 0 ? given.Dequeues[^1] : given.Before.LastDequeue;
        if (given.Before.LastCheck is not { } check || given.Before.CheckPeriodMs != GateTiming.AfterInjection)
        {
            return dequeue;
        }

        // The thread that the last gate check injected dequeues at once. The delay starts at that check, not at that dequeue.
        return dequeue is { } d && d.MsSince(check) > GateTiming.LateMs ? d : check;
    }

    InjectionDelay Timed(InjectionDelay delay, List<DecidedGateCheck> checks)
    {
        var described = checks.Select((check, index) => Described(check, index == checks.Count - 1));
        var judged = Verdict(delay with { Ticks = [.. described] }, checks);
        return judged with
        {
            Because = StarvationSentence.Of(judged, given.Before.Settings),
            Ticks = [.. judged.Ticks.Select((check, index) => check with { IsTold = StarvationSentence.Tells(judged, index) })],
        };
    }

    GateCheck Described(DecidedGateCheck check, bool fired)
    {
        var (at, decision) = (check.At, check.Decision);
        var (why, spoken) = GateCheckSentence.Of(decision, RemarkOf(decision, fired, at, samples), samples.CpuAt(at) is not null);
        return new(
            fired ? given.At : at, decision.SinceDequeueMs, samples.CpuAt(at), fired, why,
            decision.Certainty == Certainty.Certain || (decision.IsSure && fired == (decision.Kind == DecisionKind.Add)),
            fired ? Basis.Observed : Basis.Inferred)
        {
            Spoken = spoken,
            IsReading = GateCheckSentence.IsReading(decision, fired),
            Answer = decision.Kind == DecisionKind.Undecided ? null : decision.Kind == DecisionKind.Add,
            IsByDispatch = given.Before.Settings.ByDispatch,
        };
    }

    public static CheckRemark RemarkOf(Decision decision, bool fired, EventTime at, CounterSampleLog log) => (decision.Kind, fired) switch
    {
        (DecisionKind.Add, false) => decision.Certainty switch
        {
            Certainty.Certain => CheckRemark.Missed,
            Certainty.TooClose => CheckRemark.None,
            _ => Unseen(decision, at, log),
        },
        (DecisionKind.Hold, false) when decision.Certainty == Certainty.Borderline => CheckRemark.TooNear,
        (DecisionKind.Hold, true) => decision.Mechanism == Mechanism.G2CpuThrottle ? CheckRemark.ReadLess : CheckRemark.Coarse,
        _ => CheckRemark.None,
    };

    /// <summary>Returns the remark on a check that injected nothing. Completed items suggest that a dequeue has no event.</summary>
    static CheckRemark Unseen(Decision decision, EventTime at, CounterSampleLog samples) =>
        samples.MayHaveCompleted(at.PlusMs(-GateTiming.StarvationMs), at) switch
        {
            true => CheckRemark.DequeuedMeanwhile,
            _ when decision.MayBeBusy => CheckRemark.MayHaveReadMore,
            false => decision.Certainty == Certainty.Borderline ? CheckRemark.TooNear : CheckRemark.NoneAdded,
            null => CheckRemark.MaybeDequeued,
        };

    static InjectionDelay Verdict(InjectionDelay delay, List<DecidedGateCheck> checks)
    {
        var start = delay.Start!.Value;
        var windows = checks.Where(d => d.Decision.Certainty != Certainty.Impossible && d.Predicted.Latest > start)
            .Select(d => new DelayWindow(d.Predicted.Earliest.MsSince(start), d.Predicted.Latest.MsSince(start))).ToImmutableArray();
        var observed = delay.ObservedMs!.Value;
        var missed = checks.FindIndex(0, checks.Count - 1, d => d.Decision.Certainty == Certainty.Certain);
        var verdict = missed >= 0 ? DelayVerdict.Late
            : windows.Any(w => observed >= w.MinMs && observed <= w.MaxMs) ? DelayVerdict.AsExpected
            : windows.Length == 0 || observed < windows[0].MinMs ? DelayVerdict.Early
            : DelayVerdict.Late;
        return delay with
        {
            Windows = windows.IsEmpty ? [FirstAllowed(checks[^1].Predicted, start, observed)] : windows,
            Verdict = verdict,
            Mechanism = checks[^1].Decision.Mechanism,
        };
    }

    /// <summary>
    /// Returns the window to report when no gate check up to the injection was allowed to inject: the window of the last predicted check if
    /// the injection came before that window, otherwise the window of the next check.
    /// </summary>
    static DelayWindow FirstAllowed(InjectionCheck check, EventTime start, double observed)
    {
        var shift = observed < check.Earliest.MsSince(start) ? 0 : GateTiming.AfterHold;
        return new(check.Earliest.MsSince(start) + shift, check.Latest.MsSince(start) + shift);
    }

    /// <summary>
    /// Returns the gate checks up to the one that injected; null when no predicted check is close enough to the injection.
    /// </summary>
    List<DecidedGateCheck>? Decided()
    {
        var walked = Walked();
        var fired = walked.FindIndex(w => w.At.MsSince(given.At) >= -SameCheckMs);
        return fired < 0 ? null : Decided(walked.GetRange(0, fired + 1));
    }

    /// <summary>Returns the predicted gate checks up to the injection, but at least the first predicted check.</summary>
    List<InjectionCheck> Walked() =>
        [.. policy.ChecksFrom(given.Before with { CooperativeDue = null }).Select(walked => walked.Check).Take(GateTiming.MaxUnseenChecks)
            .TakeWhile((check, index) => index == 0 || check.At.MsSince(given.At) <= SameCheckMs)];

    List<DecidedGateCheck> Decided(List<InjectionCheck> walked)
    {
        var decided = new List<DecidedGateCheck>();
        var state = given.Before with { CooperativeDue = null };
        for (var i = 0; i < walked.Count; i++)
        {
            var at = TimeOf(walked, i);
            var dequeue = given.Dequeues.Where(d => d < at).Select(d => (EventTime?)d).LastOrDefault() ?? given.Before.LastDequeue;
            state = dequeue is { } known && known != state.LastDequeue ? policy.Apply(state, new PoolInput.Dequeued(known)) : state;
            var cpu = samples.CpuAt(at);
            state = state with { TargetThreads = TargetThreadsAt(at) };
            var completed = samples.MayHaveCompleted(at.PlusMs(-NeededMs(state, cpu)), at);
            state = policy.Apply(state, new PoolInput.Counted(at, completed, cpu, Outstanding: true)
            {
                CpuAtMost = samples.CpuAtMost(at),
            });
            var check = new InjectionCheck(at, GateWakeReason.Periodic);
            decided.Add(new(walked[i], at, policy.Decide(state with { CooperativeDue = PendingAt(at) }, check)));
            state = policy.After(state, check);
        }

        return decided;
    }

    /// <summary>Returns the target thread count at a gate check, the larger count if it was just changing; null when unknown.</summary>
    int? TargetThreadsAt(EventTime at)
    {
        var held = given.TargetThreadMoves is [var first, ..] ? first.Before : given.Before.TargetThreads;
        foreach (var move in given.TargetThreadMoves.TakeWhile(m => m.At <= at.PlusMs(GateTiming.EarlyMs)))
        {
            held = move.At <= at.PlusMs(-GateTiming.LateMs) ? move.After : Larger(held, move.After);
        }

        return held;
    }

    // If one count is unknown, the larger one is unknown too.
    static int? Larger(int? one, int? other) => one is { } a && other is { } b ? Math.Max(a, b) : null;

    /// <summary>
    /// Returns the time without a dequeue that a gate check with this processor use requires for an injection, milliseconds.
    /// </summary>
    static double NeededMs(PoolState state, double? cpu) =>
        state.IsBusyAt(cpu)
            && state.TargetThreads is { } targetThreads ? GateTiming.BusyStarvationMs * targetThreads : GateTiming.StarvationMs;

    /// <summary>
    /// Returns when the pending blocking-compensation step was due; null when no step was pending at the gate check. At the check that
    /// injected, no step was pending.
    /// </summary>
    EventTime? PendingAt(EventTime at) =>
        at == given.At ? null : given.Steps.Where(s => s.From <= at && at < s.To).Select(s => (EventTime?)s.To).LastOrDefault();

    /// <summary>
    /// Returns the time at which a gate check ran, counted back from the injection. Returns the predicted time if the time counted back is
    /// outside the window of the predicted check. If the injection came late, the time counted back is too late. So the result is never
    /// later than the time counted forward from the first thread start.
    /// </summary>
    EventTime TimeOf(List<InjectionCheck> walked, int index)
    {
        var last = walked.Count - 1;
        if (index == last)
        {
            return given.At;
        }

        var back = given.At.PlusMs(-GateTiming.AfterHold * (last - index));
        if (back < walked[index].Earliest || (back > walked[index].Latest && given.Before.CheckPeriodMs != GateTiming.AfterInjection))
        {
            return walked[index].At;
        }

        if (given.Dequeues.Length == 0 || given.Before.CheckPeriodMs != GateTiming.AfterInjection)
        {
            return back;
        }

        var forward = given.Dequeues[0].PlusMs(GateTiming.AfterStart + GateTiming.AfterHold * index);
        return back < forward ? back : forward;
    }
}

/// <summary>A past gate check with the policy's decision.</summary>
/// <param name="Predicted">The gate check as predicted from the last known check.</param>
/// <param name="At">Time at which the check ran, derived from the time of the injection that ended the delay.</param>
/// <param name="Decision">The policy's decision for this check.</param>
readonly record struct DecidedGateCheck(InjectionCheck Predicted, EventTime At, Decision Decision);

/// <summary>
/// The immutable data from which an ended injection delay is judged. The delay can be judged again when a counter sample adds information.
/// </summary>
/// <param name="At">Event time of the adjustment that ended the delay.</param>
/// <param name="Number">Number of the injection delay in the capture; 0 before a number is assigned.</param>
abstract record DelayCase(EventTime At, int Number = 0)
{
    /// <summary>Time without a dequeue before a starvation injection; null for other delays. Items that waited then starved.</summary>
    public EventSpan? WithoutDequeue { get; init; }
}

/// <summary>An injection delay that no counter sample changes any more.</summary>
sealed record SettledCase(InjectionDelay Delay) : DelayCase(Delay.End, Delay.Number);

/// <summary>One injection by the gate thread with the state known before it.</summary>
/// <param name="Before">The policy's state at the last known gate check. Its <see cref="PoolState.LastCheck"/> is null when the times of
/// the checks are unknown.</param>
/// <param name="Dequeues">Dequeues seen since that gate check, oldest first.</param>
/// <param name="At">Event time of the adjustment.</param>
/// <param name="TargetThreadsAfter">The new target thread count.</param>
sealed record StarvationCase(PoolState Before, ImmutableArray<EventTime> Dequeues, EventTime At, int TargetThreadsAfter) : DelayCase(At)
{
    /// <summary>The blocking-compensation steps since the last known gate check, each with the time until the next was due.</summary>
    public ImmutableArray<EventSpan> Steps { get; init; } = [];

    /// <summary>Whether events were lost since the last observed injection; the lost events may include a later injection.</summary>
    public bool IsLost { get; init; }

    /// <summary>Changes of the target thread count since the last known gate check, except by starvation detection.</summary>
    public ImmutableArray<TargetThreadsMoved> TargetThreadMoves { get; init; } = [];

    /// <summary>What is known about task waits and memory.</summary>
    public TaskWaitState TaskWaits { get; init; } = TaskWaitState.None;

    /// <summary>
    /// Returns the case with <see cref="DelayCase.WithoutDequeue"/> set. This time begins at the last known gate check if no item has
    /// completed since. Otherwise it is the 500 ms that starvation detection requires, or less at the start of the capture.
    /// </summary>
    public StarvationCase Shown(CounterSampleLog samples, EventTime captureStart) => this with
    {
        WithoutDequeue = Before.LastCheck is { } check && At.MsSince(check) < GateTiming.MaxUnseenChecks * GateTiming.AfterHold
            && samples.MayHaveCompleted(check, At) == false
                ? new(check, At)
                : new(EventTime.Max(captureStart, At.PlusMs(-GateTiming.StarvationMs)), At),
    };
}

/// <summary>A change of the target thread count, with the counts before and after; a count is null when unknown.</summary>
readonly record struct TargetThreadsMoved(EventTime At, int? Before, int? After);

/// <summary>One adjustment by blocking compensation with the state known before it.</summary>
/// <param name="Settings">Processors, MinThreads, MaxThreads.</param>
/// <param name="TargetThreadsBefore">Target thread count before the adjustment; null when tpwatch attached too late to know it.</param>
/// <param name="TargetThreadsAfter">Target thread count after the adjustment.</param>
/// <param name="At">Event time of the adjustment.</param>
/// <param name="PreviousStep">Time of the previous rise by blocking compensation; null when another adjustment followed that rise.</param>
/// <param name="LastStart">Last start of a worker thread, which may then wait for a task; null when unknown.</param>
/// <param name="Existing">Number of worker threads that existed; null when unknown.</param>
sealed record CooperativeCase(
    PoolSettings Settings, int? TargetThreadsBefore, int TargetThreadsAfter, EventTime At,
    EventTime? PreviousStep, EventTime? LastStart, int? Existing) : DelayCase(At)
{
    /// <summary>
    /// Whether <see cref="PreviousStep"/> is instead the time of a later call that set limits. The pool then counts task waits again.
    /// </summary>
    public bool IsSinceCall { get; init; }
}

/// <summary>What is known about task waits and memory use. High memory use may keep the pool from adding threads for task waits.</summary>
/// <param name="Stands">Whether task waits for which the pool has added threads still last.</param>
/// <param name="High">Whether memory use counts as high; null when unknown.</param>
/// <param name="Load">Memory in use as a share of the limit, 0 to 1; null when unknown.</param>
/// <param name="Veto">Memory load from which memory use counts as high, 0 to 1.</param>
sealed record TaskWaitState(bool Stands, bool? High, double? Load, double Veto)
{
    /// <summary>The name of the setting that defines the threshold <see cref="Veto"/>; null for the runtime's default.</summary>
    public string? Setting { get; init; }

    /// <summary>No known task wait, and enough memory.</summary>
    public static TaskWaitState None { get; } = new(false, false, null, 1);
}
