using Tpwatch.Reports;

namespace Tpwatch.Render.Text;

/// <summary>Why a capture ended, in words.</summary>
static class EndWords
{
    /// <summary>Half a sentence: "the target was killed or crashed".</summary>
    public static string Of(SessionEnd end) => end switch
    {
        SessionEnd.StillOpen => "still observing",
        SessionEnd.StoppedByUs => "stopped by us",
        SessionEnd.TargetExited => "the target exited",
        SessionEnd.TargetKilled => "the target was killed or crashed",
        SessionEnd.StreamBroken => "the stream broke although the target lives",
        SessionEnd.EndOfRecording => "end of the recording",
        _ => "the recording breaks off or is damaged",
    };
}
