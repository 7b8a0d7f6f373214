using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Render.Shared;

/// <summary>Parts of sentences that the report and the summary share.</summary>
static class Phrases
{
    /// <summary>Why no stacks were taken, where they were to be.</summary>
    public static string NoBurst(PoolReport report) => report.Bursts is { Remarks: [var first, ..] }
        ? char.ToLowerInvariant(first[0]) + Words.OneLine(first)[1..].TrimEnd('.')
        : report.Depth.HasFlag(CaptureDepth.Auto) ? "no work item waited or hung for two seconds"
        : "no work item waited while tpwatch watched";

    /// <summary><c>12 Starvation, 3 CooperativeBlocking</c>.</summary>
    public static string Adjustments(ImmutableSortedDictionary<AdjustmentReason, int> adjustments) =>
        adjustments.Values.Sum() == 0
            ? "none"
            : string.Join(
                ", ", adjustments.Where(p => p.Value > 0).OrderByDescending(p => p.Value).Select(p => $"{Format.Count(p.Value)} {p.Key}"));

    /// <summary><c>13 (11 as expected, 1 late, 1 not timed); plus 4 thread count adjustments for which no item waited</c>.</summary>
    public static string Tally(GapTally tally)
    {
        (int Count, string Word)[] parts =
        [
            (tally.Fits, "as expected"), (tally.Early, "early"), (tally.Late, "late"), (tally.NoRule, "not explained"),
            (tally.NoData, "without data"), (tally.NotTimed - tally.Moves, "not timed"), (tally.Open, "open"),
        ];
        var told = parts.Where(p => p.Count > 0).Select(p => $"{Format.Count(p.Count)} {p.Word}").ToList();
        var waits = told.Count == 0 ? "none" : $"{Format.Count(tally.Waits)} ({string.Join(", ", told)})";
        return tally.Moves == 0 ? waits : $"{waits}; plus {Format.Plural(tally.Moves, "thread count adjustment")} for "
            + "which no item waited";
    }

    /// <summary><c>11.1 s of 30.0 s (37%)</c>.</summary>
    public static string Starved(PoolReport report)
    {
        var whole = report.Timeline.Now.MsSince(report.Timeline.Start);
        var share = whole > 0 ? $" of {Format.Duration(whole)} ({Format.Percent(report.StarvedMs / whole)})" : "";
        return report.StarvedMs > 0 ? Format.Duration(report.StarvedMs) + share : Words.IsStarvingKnown(report) ? "never" : "?";
    }

    /// <summary><c>0 lost, read up to 2026-11-21T02:29:30.000Z</c>.</summary>
    public static string Completeness(TimelineSnapshot timeline, TimeStyle time)
    {
        var quality = timeline.Quality;
        var lost = quality.LossUnknown ? "an unknown number of events lost" : $"{Format.Count(quality.Lost)} lost";
        var undecodable = quality.Undecodable > 0 ? $", {Format.Count(quality.Undecodable)} not understood" : "";
        return quality.Events == 0
            ? "no event was read"
            : $"{lost}{undecodable}, read up to {time.Spoken(timeline, quality.CompleteUpTo)}";
    }

    /// <summary>How many rules found nothing, and how many could not tell: <c>14 checks clear, 2 undecided</c>.</summary>
    public static string Checks(PoolReport report) => string.Join(", ", new[]
    {
        report.Clear.IsEmpty ? "" : $"{Format.Plural(report.Clear.Length, "check")} clear",
        report.Undecided.IsEmpty ? "" : $"{Format.Count(report.Undecided.Length)} undecided",
    }.Where(part => part.Length > 0));

    /// <summary>What it means that the method is not on the stack (a tail call), and where to look instead.</summary>
    public static string NoFrame(Blocker blocker) =>
        "The calling method is not on the stack: it ends with this call, which replaced its frame (tail call). "
            + $"Search your code for work items whose last statement calls {blocker.Call}.";

    /// <summary>A count, or <c>?</c>.</summary>
    public static string CountOr(long? value) => value is { } v ? Format.Count(v) : "?";
}
