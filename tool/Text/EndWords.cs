namespace Tpwatch.Text;

/// <summary>Why a capture ended, in words.</summary>
static class EndWords
{
    /// <summary>The same behind a length of time, with how it was taken: <c>, live; stopped by tpwatch</c>.</summary>
    public static string Whole(PoolReport report) => report.End is SessionEnd.EndOfRecording or SessionEnd.RecordingBroken
        ? $"; {Of(report.End)}" : $", {Words.Of(report.Timeline.Source)}; {Of(report.End)}";

    /// <summary>Half a sentence: "the process was killed or crashed".</summary>
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
