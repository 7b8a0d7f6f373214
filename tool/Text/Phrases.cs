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

    const string NotKnown = "not known";

    /// <summary>A peak and other values, as far as known: <c>peak 18; last 17, target 18</c>.</summary>
    public static string Levels(string? peak, params string?[] others) => new[] { peak, string.Join(", ", others.OfType<string>()) }
        .Where(part => part is { Length: > 0 }).ToArray() is { Length: > 0 } known ? string.Join("; ", known) : NotKnown;

    /// <summary>A number after its name: <c>peak 18</c>; null if the number is not known.</summary>
    public static string? Named(string name, long? value) => value is { } known ? $"{name} {Format.Count(known)}" : null;

    /// <summary>A count, or <c>?</c> if it is not known.</summary>
    public static string CountOr(long? value) => value is { } v ? Format.Count(v) : "?";
}
