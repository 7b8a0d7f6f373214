namespace Tpwatch.Reports;

/// <summary>Why a session ended.</summary>
public enum SessionEnd
{
    /// <summary>The session has not ended.</summary>
    StillOpen,

    /// <summary>tpwatch stopped the session in an orderly way, and all events were read.</summary>
    StoppedByUs,

    /// <summary>The target exited by itself, and the stream says so.</summary>
    TargetExited,

    /// <summary>The stream broke off and the target no longer exists: killed, crashed, or ended by a signal.</summary>
    TargetKilled,

    /// <summary>The stream broke off while the target was still running.</summary>
    StreamBroken,

    /// <summary>A recording was read to its end.</summary>
    EndOfRecording,

    /// <summary>A recording ends unexpectedly or is damaged; the part before that was read.</summary>
    RecordingBroken,
}
