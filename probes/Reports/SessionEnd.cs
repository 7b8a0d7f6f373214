namespace Tpwatch.Reports;

/// <summary>Why a session came to its end.</summary>
public enum SessionEnd
{
    /// <summary>It has not ended.</summary>
    StillOpen,

    /// <summary>We stopped it in order and everything was drained.</summary>
    StoppedByUs,

    /// <summary>The target ended by itself and said so in the stream.</summary>
    TargetExited,

    /// <summary>The stream broke off and the target is gone: killed, crashed, or ended by a signal.</summary>
    TargetKilled,

    /// <summary>The stream broke off while the target lives.</summary>
    StreamBroken,

    /// <summary>A recording was read to its end.</summary>
    EndOfRecording,

    /// <summary>A recording broke off or is damaged; what came before was read.</summary>
    RecordingBroken,
}
