using Tpwatch.Reports;

namespace Tpwatch.Render.Text;

/// <summary>Why a capture ended, in words.</summary>
static class EndWords
{
    /// <summary>Half a sentence: "the process was killed or crashed".</summary>
    public static string Of(SessionEnd end) => end switch
    {
        SessionEnd.StillOpen => "still watching",
        SessionEnd.StoppedByUs => "stopped by tpwatch",
        SessionEnd.TargetExited => "the process exited",
        SessionEnd.TargetKilled => "the process was killed or crashed",
        SessionEnd.StreamBroken => "the event stream broke although the process still runs",
        SessionEnd.EndOfRecording => "end of the recording",
        _ => "the recording is incomplete or damaged",
    };
}
