using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>Parts of sentences shared by the reports and the summary.</summary>
static class Phrases
{
    /// <summary>Why no stacks were taken although they were requested.</summary>
    public static string NoBurst(PoolReport report) => report.Bursts is { Remarks: [var first, ..] }
        ? char.ToLowerInvariant(first[0]) + Words.OneLine(first)[1..].TrimEnd('.')
        : NoPoolEvents.Is(report.Timeline) ? "the pool sent no event, so it is not known whether items waited"
        : report.Depth.HasFlag(CaptureDepth.Auto) ? "no work item waited or hung for two seconds"
        : "no work item waited while tpwatch watched";

    /// <summary>The count of stack bursts and memory readings: <c>2 bursts of stacks and 1 reading of the memory</c>.</summary>
    public static string Taken(StackBursts bursts)
    {
        var readings = bursts.Taken.Count(b => b.IsReading);
        return string.Join(" and ", new[]
        {
            readings < bursts.Taken.Length ? $"{Format.Plural(bursts.Taken.Length - readings, "burst")} of stacks" : "",
            readings > 0 ? $"{Format.Plural(readings, "reading")} of the memory" : "",
        }.Where(part => part.Length > 0));
    }

    /// <summary>How long stack samples paused the target, as a clause.</summary>
    public static string PausedBy(StackBursts bursts) => bursts.AreReadings
        ? "the process was not paused"
        : $"taking them all paused the process for at most {Format.Duration(bursts.PausedMs)} in total";

    /// <summary>The thread count adjustments by reason: <c>12 Starvation, 3 CooperativeBlocking</c>.</summary>
    public static string Adjustments(ImmutableSortedDictionary<AdjustmentReason, int> adjustments) =>
        adjustments.Values.Sum() == 0
            ? "none"
            : string.Join(
                ", ", adjustments.Where(p => p.Value > 0).OrderByDescending(p => p.Value).Select(p => $"{Format.Count(p.Value)} {p.Key}"));

    /// <summary>
    /// The injection delays by judgement: <c>13 (11 as expected, 1 late, 1 not judged). Thread count adjustments that are not timed: 4</c>.
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
                .Select(p => (p.Count, p.Verdict == DelayVerdict.Open ? "not over yet" : VerdictWords.Of(p.Verdict))),
        ];
        var waits = told switch
        {
            [] => "none",
            [var one] => $"{Format.Count(tally.Waits)}, {All(tally.Waits)}{one.Words}",
            _ => $"{Format.Count(tally.Waits)} ({string.Join(", ", told.Select(p => $"{Format.Count(p.Count)} {p.Words}"))})",
        };
        return tally.Moves == 0 ? waits
            : $"{waits}. Thread count adjustments that are not timed: {Format.Count(tally.Moves)}";
    }

    static string All(int waits) => waits switch { 1 => "", 2 => "both ", _ => "all " };

    /// <summary>The starved time as a part of the capture: <c>11.1 s of 30.0 s (37%)</c>.</summary>
    public static string Starved(PoolReport report)
    {
        var whole = report.Timeline.Now.MsSince(report.Timeline.Start);
        var share = whole > 0 ? $" of {Format.Duration(whole)} ({Format.Percent(report.StarvedMs / whole)})" : "";
        return report.StarvedMs > 0 ? Format.Duration(report.StarvedMs) + share : Words.IsStarvingKnown(report) ? "never" : NotKnown;
    }

    /// <summary>How complete the capture is: <c>0 lost, read up to 2026-11-21T02:29:30.000Z</c>.</summary>
    public static string Completeness(TimelineSnapshot timeline, TimeStyle time)
    {
        var quality = timeline.Quality;
        var lost = quality.LossUnknown ? "an unknown number of events lost" : $"{Format.Count(quality.Lost)} lost";
        var undecodable = quality.Undecodable > 0 ? $", {Format.Count(quality.Undecodable)} not understood" : "";
        return quality.Events == 0
            ? "no event was read"
            : $"{lost}{undecodable}, read up to {time.Spoken(timeline, quality.CompleteUpTo)}";
    }

    /// <summary>Count of rules without a finding and of undecided rules: <c>14 checks clear, 2 undecided</c>.</summary>
    public static string Checks(PoolReport report) => string.Join(", ", new[]
    {
        report.Clear.IsEmpty ? "" : $"{Format.Plural(report.Clear.Length, "check")} clear",
        report.Undecided.IsEmpty ? "" : $"{Format.Count(report.Undecided.Length)} undecided",
    }.Where(part => part.Length > 0));

    /// <summary>Why the calling method is not on the stack, and where to search instead.</summary>
    public static string NoFrame(Blocker blocker) =>
        "The calling method is not on the stack. It may end with this call, which then replaces its frame (tail call). "
            + "Or the compiler inlined it into the thread pool's code."
            + (blocker.Call is { } call ? $" Search your code for work items that call {call}." : "");

    /// <summary>Beyond this the estimate is dominated by errors of the rates, milliseconds.</summary>
    const double HardlyMs = 15 * 60_000;

    /// <summary>
    /// When an item queued now starts and when the queue becomes empty, as sentences without the last full stop:
    /// <c>an item queued now starts in 32 s to 43 s. The queue is empty in about 4 min</c>; null if not known.
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

    // The queue cannot be empty before an item queued now starts; that start is estimated separately and stands in the same sentence.
    static string Emptied(QueueEmpty? gone, StartDelay delay, double likelyMs, string begin)
    {
        if (gone?.At?.MsSince(delay.At) is not (< HardlyMs and var ms))
        {
            return "";
        }

        var told = Format.About(Math.Max(ms, likelyMs));
        return told == Format.About(likelyMs) ? $"{begin} then empty" : $"{begin} empty in {told}";
    }

    const string NotKnown = "not known";

    /// <summary>A peak and other values, as far as known: <c>peak 18; last 17, target 18</c>.</summary>
    public static string Levels(string? peak, params string?[] others) => new[] { peak, string.Join(", ", others.OfType<string>()) }
        .Where(part => part is { Length: > 0 }).ToArray() is { Length: > 0 } known ? string.Join("; ", known) : NotKnown;

    /// <summary>A number after its name: <c>peak 18</c>; null if the number is not known.</summary>
    public static string? Named(string name, long? value) => value is { } known ? $"{name} {Format.Count(known)}" : null;

    /// <summary>A count, or <c>?</c> if it is not known.</summary>
    public static string CountOr(long? value) => value is { } v ? Format.Count(v) : "?";
}
