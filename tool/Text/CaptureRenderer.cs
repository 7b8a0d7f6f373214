namespace Tpwatch.Text;

/// <summary>The report's section on the capture: start, length, completeness, and remarks on its quality.</summary>
static class CaptureRenderer
{
    /// <summary>The lines of the section.</summary>
    public static IEnumerable<string> Lines(PoolReport report, TimeStyle time)
    {
        var timeline = report.Timeline;
        var length = Format.Duration(timeline.Now.MsSince(timeline.Start));
        return TextLayout.Title("Capture")
            .Concat(TextLayout.Fact("from", $"{(timeline.StartUtc == default ? "?" : Format.Utc(timeline.StartUtc))} for {length}"
                + EndWords.Whole(report)))
            .Concat(TextLayout.Fact("quality",
                $"{Words.Of(CaptureGrades.Of(timeline))}: {Format.Plural(timeline.Quality.Events, "event")}, "
                    + $"{Phrases.Completeness(timeline, time)}"))
            .Concat(report.Depth.HasFlag(CaptureDepth.Auto) ? TextLayout.Fact("depth", Auto(report)) : [])
            .Concat(timeline.Quality.Remarks.SelectMany(r => TextLayout.Fact("remark", Words.OneLine(r))));
    }

    // Shown only for automatic depth, where tpwatch decides by itself to take stacks: how many, and what they cost.
    static string Auto(PoolReport report) => report.Bursts is not { Taken.Length: > 0 } bursts
        ? $"auto took no stacks: {Phrases.NoBurst(report)}"
        : $"auto took {Phrases.Taken(bursts)}; {Phrases.PausedBy(bursts)}";
}

/// <summary>Why a capture ended, in words.</summary>
static class EndWords
{
    /// <summary>The end of the capture, to append to its length, with its source: <c>, live; the watch ended</c>.</summary>
    public static string Whole(PoolReport report) => report.End is SessionEnd.EndOfRecording or SessionEnd.RecordingBroken
        ? $"; {Of(report.End)}" : $", {Words.Of(report.Timeline.Source)}; {Of(report.End)}";

    /// <summary>The reason as a part of a sentence: <c>the process was killed or crashed</c>.</summary>
    public static string Of(SessionEnd end) => end switch
    {
        SessionEnd.StillOpen => "still watching",
        SessionEnd.StoppedByUs => "the watch ended",
        SessionEnd.TargetExited => "the process exited",
        SessionEnd.TargetKilled => "the process was killed or crashed",
        SessionEnd.StreamBroken => "the event stream broke although the process still runs",
        SessionEnd.EndOfRecording => "the recording was read to its end",
        _ => "the recording is incomplete or damaged",
    };
}
