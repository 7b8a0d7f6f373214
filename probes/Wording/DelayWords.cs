using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>Builds texts about injection delays: early or late, what ended a delay, the runtime's rule that applies, and counts.</summary>
static class DelayWords
{
    /// <summary>Returns the judgement, and how many ms the injection was early or late: <c>as expected</c>, <c>LATE +512</c>.</summary>
    public static string Of(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.Early or DelayVerdict.Late => Of(delay.Verdict).ToUpperInvariant()
            + (OffMs(delay) is { } off ? FormattableString.Invariant($" {off:+0;-0}") : ""),
        _ => Plainly(delay),
    };

    /// <summary>Returns how early or late the injection was, followed by the judgement: <c>499 ms late</c>.</summary>
    public static string Distance(InjectionDelay delay) =>
        (OffMs(delay) is { } off ? $"{Format.Duration(Math.Abs(off))} " : "") + Of(delay.Verdict);

    /// <summary>
    /// Returns the judgement without the distance. For an item's wait, <see cref="DelayVerdict.NotTimed"/> becomes "not judged"; "not
    /// timed" is for thread count adjustments that ended no wait.
    /// </summary>
    public static string Plainly(InjectionDelay delay) =>
        Of(delay is { Verdict: DelayVerdict.NotTimed, IsWait: true } ? DelayVerdict.NoData : delay.Verdict);

    /// <summary>Returns the judgement, or why there is none, for a line of a log; null if this would not inform the user.</summary>
    public static string? Briefly(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.AsExpected when delay.Reason is not null => Of(delay.Verdict),
        DelayVerdict.Early or DelayVerdict.Late => Of(delay.Verdict),
        DelayVerdict.NoRule => "not explained by a rule of the runtime",
        DelayVerdict.NoData => "not judged: events are missing",
        _ => null,
    };

    /// <summary>Returns the word for a judgement.</summary>
    public static string Of(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.AsExpected => "as expected",
        DelayVerdict.Early => "early",
        DelayVerdict.Late => "late",
        DelayVerdict.NoRule => "unexplained",
        DelayVerdict.NoData => "not judged",
        DelayVerdict.NotTimed => "not timed",
        _ => "not over",
    };

    // Returns how many ms the injection came after the allowed time if late, or before it if early (negative).
    static double? OffMs(InjectionDelay delay) => delay.Verdict == DelayVerdict.Late ? delay.LateMs
        : delay.Windows is [var first, ..] ? delay.ObservedMs - first.MinMs : null;

    /// <summary>Returns what ended a delay, in one word for people: the runtime's reason, or else tpwatch's own word.</summary>
    public static string EndedBy(InjectionDelay delay) => delay switch
    {
        { Reason: null, Mechanism: Mechanism.G3Undetected } => "Undetected",
        { Reason: null, Mechanism: Mechanism.G8Ceiling } => "AtMaxThreads",
        _ => Code(delay),
    };

    /// <summary>Returns what ended a delay, in one word for programs. The words are a contract and do not change.</summary>
    public static string Code(InjectionDelay delay) => delay switch
    {
        { Reason: { } reason } => reason.ToString(),
        { Mechanism: Mechanism.G0Ramp } => "Ramp",
        { Mechanism: Mechanism.G3Undetected } => "SilentStarvation",
        { Mechanism: Mechanism.G8Ceiling } => "Ceiling",
        { Mechanism: Mechanism.G9DetectorOff } => "DetectorOff",
        { Mechanism: Mechanism.G12NotRunning } => "NotRunning",
        { Mechanism: Mechanism.G13SlowThread } => "SlowThread",
        { Mechanism: Mechanism.G14Wedged } => "Wedged",
        { Mechanism: Mechanism.G11Probing } => "Probing",
        { Verdict: DelayVerdict.Open } => "Waiting",
        _ => "Unexplained",
    };

    /// <summary>Returns what the mark of a delay on the screen means, without the delay's number and time.</summary>
    public static string Mark(InjectionDelay delay) => delay switch
    {
        { Reason: AdjustmentReason.Starvation } => "pool added a thread (starvation)",
        { Reason: AdjustmentReason.CooperativeBlocking, TargetThreadsBefore: null } => "the target changed for task waits",
        { Reason: AdjustmentReason.CooperativeBlocking } => Waits.IsInjection(delay)
            ? "pool added threads for task waits" : "task waits ended: fewer threads wanted",
        { Reason: AdjustmentReason.ThreadTimedOut } => "an idle thread ended",
        { Reason: not null } => delay.IsClimbing ? "hill climbing changed the target" : "the target changed",
        { Mechanism: Mechanism.G8Ceiling } => "items wait at MaxThreads",
        { Mechanism: Mechanism.G14Wedged } => "items wait, no thread takes one",
        { Mechanism: Mechanism.G3Undetected or Mechanism.G9DetectorOff } => "undetected starvation",
        { Verdict: DelayVerdict.Open } => "items still wait",
        { Verdict: DelayVerdict.NoRule } => "a delay that no rule explains",
        _ => "an item waited for a thread",
    };

    /// <summary>Returns a short name for a rule of the runtime, shown in addition to the rule's code.</summary>
    public static string Rule(Mechanism rule) => rule switch
    {
        Mechanism.G0Ramp => "on demand",
        Mechanism.G1GateTick => "gate check",
        Mechanism.G2CpuThrottle => "busy processors",
        Mechanism.G3Undetected => "undetected",
        Mechanism.G4CooperativeStep => "task wait, delayed",
        Mechanism.G5CooperativeJump => "task wait, at once",
        Mechanism.G6MemoryVeto => "memory is high",
        Mechanism.G7Debt => "mixed blocking",
        Mechanism.G8Ceiling => "MaxThreads",
        Mechanism.G9DetectorOff => "detection off",
        Mechanism.G10GoalOnly => "no thread needed",
        Mechanism.G11Probing => "hill climbing",
        Mechanism.G12NotRunning => "not running",
        Mechanism.G13SlowThread => "slow thread start",
        Mechanism.G14Wedged => "wedged",
        Mechanism.G15TimeoutChurn => "idle timeout",
        _ => "",
    };

    /// <summary>Returns the number of thread count adjustments for each reason: <c>12 Starvation, 3 CooperativeBlocking</c>.</summary>
    public static string Adjustments(ImmutableSortedDictionary<AdjustmentReason, int> adjustments) =>
        adjustments.Values.Sum() == 0
            ? "none"
            : string.Join(
                ", ", adjustments.Where(p => p.Value > 0).OrderByDescending(p => p.Value).Select(p => $"{Format.Count(p.Value)} {p.Key}"));

    /// <summary>
    /// Returns the number of waits by judgement: <c>13 (11 as expected, 2 late). Thread count adjustments that are not timed: 4</c>.
    /// </summary>
    public static string Tally(DelayTally tally)
    {
        (int Count, DelayVerdict Verdict)[] parts =
        [
            (tally.AsExpected, DelayVerdict.AsExpected), (tally.Early, DelayVerdict.Early), (tally.Late, DelayVerdict.Late),
            (tally.NoRule, DelayVerdict.NoRule),
            (tally.NoData + tally.NotTimed - tally.Moves, DelayVerdict.NoData), (tally.Open, DelayVerdict.Open),
        ];
        (int Count, string Words)[] told =
        [
            .. parts.Where(p => p.Count > 0)
                .Select(p => (p.Count, p.Verdict == DelayVerdict.Open ? "not over yet" : Of(p.Verdict))),
        ];
        var waits = told switch
        {
            [] => "none",
            [var one] => $"{Format.Count(tally.Waits)}, {All(tally.Waits)}{one.Words}",
            _ => $"{Format.Count(tally.Waits)} ({string.Join(", ", told.Select(p => $"{Format.Count(p.Count)} {p.Words}"))})",
        };
        return tally.Moves == 0 ? waits : $"{waits}. Thread count adjustments that are not timed: {Format.Count(tally.Moves)}";
    }

    static string All(int waits) => waits switch { 1 => "", 2 => "both ", _ => "all " };

    /// <summary>Maximum time until the queue is empty that a text mentions, milliseconds; longer estimates are unreliable.</summary>
    const double HardlyMs = 15 * 60_000;

    /// <summary>
    /// Returns when an item queued now starts and when the queue becomes empty, without the last full stop: <c>an item queued now starts in
    /// 32 s to 43 s. The queue is empty in about 4 min</c>. Null if the start is not known or is too uncertain.
    /// </summary>
    public static string? NewItem(PoolReport report)
    {
        if (report.Forecast is not { StartDelayOfNewItem: { EstimateMs: { } likely, MaxMs: { } most } delay, QueueEmpty: var gone }
            || (gone is { IfThreadsHelp: true } && Bottleneck.Of(report) is not null))
        {
            return null;
        }

        var starts = $"an item queued now starts in {Within(delay.MinMs, most)}";
        return gone switch
        {
            { Never: true } => $"{starts}. The queue does not become empty: {gone.Basis.TrimEnd('.')}",
            { IfThreadsHelp: true } => $"if added threads help, {starts}{Emptied(gone, delay, likely, ". If so, the queue is")}",
            _ => $"{starts}{Emptied(gone, delay, likely, ". The queue is")}",
        };
    }

    static string Within(double fromMs, double toMs) => (Format.Rough(fromMs, toMs), Format.Rough(toMs)) is var (from, to) && from == to
        ? Format.About(toMs) : fromMs < 1 ? $"less than {to}" : $"{from} to {to}";

    // Returns when the queue is empty: at the estimated time, but not before an item queued now starts, which is a separate estimate.
    static string Emptied(QueueEmpty? gone, StartDelay delay, double likelyMs, string begin)
    {
        if (gone?.At?.MsSince(delay.At) is not (< HardlyMs and var ms))
        {
            return "";
        }

        var told = Format.About(Math.Max(ms, likelyMs));
        return told == Format.About(likelyMs) ? $"{begin} then empty" : $"{begin} empty in {told}";
    }
}
