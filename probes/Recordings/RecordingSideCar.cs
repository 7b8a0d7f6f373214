using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// The side-car of a recording that is being made: written at once, so that a place where it cannot be is told before an hour was
/// recorded, and once more at the end, when the session's readings and the remarks are known.
/// </summary>
sealed class RecordingSideCar
{
    readonly RecordingFile recording;
    readonly ISession session;
    readonly double? heartbeatMs;
    bool killed;

    /// <summary>What comes before the recorded stream; null is nothing.</summary>
    public byte[]? Start { get; set; }

    /// <summary>Writes the first one. <see cref="ForeseenException"/> (exit code 3) when that is not possible.</summary>
    /// <param name="recording">What it lies beside.</param>
    /// <param name="session">What is recorded.</param>
    /// <param name="heartbeatMs">How often counters come.</param>
    /// <param name="over">Whether in the place of what is there already.</param>
    public RecordingSideCar(RecordingFile recording, ISession session, double? heartbeatMs, bool over)
    {
        (this.recording, this.session, this.heartbeatMs) = (recording, session, heartbeatMs);
        Write(SideCarFile.Describe(session.Target, []), over);
    }

    /// <summary>Writes the last one; the sentence that says why not when that is not possible.</summary>
    public string? Finish(
        SessionEnd end, IEnumerable<ClockReading> clock, IEnumerable<ProcessReading> process, SideCarBursts? bursts,
        ImmutableArray<SideCarInside>? inside)
    {
        try
        {
            killed = end == SessionEnd.TargetKilled;
            Write(SideCarFile.Describe(session.Target, clock) with
            {
                Process = [.. process.Select(SideCarProcess.Of)],
                Bursts = bursts,
                Inside = inside,
                Start = Start,
                DeepId = session.Depth.HasSession() ? IdOf(RecordedStream.PathFor(recording.Path)) : null,
            }, over: true);
            return null;
        }
        catch (ForeseenException e)
        {
            return e.Message;
        }
    }

    // What was killed has no last word: such a stream has no end mark.
    string? Early => recording.Remark ?? (killed ? "The process was killed; the recording holds everything up to then." : null);

    static string? IdOf(string second)
    {
        try
        {
            using var file = RegularFile.OpenRead(second);
            return StreamStamp.Of(file)?.Text;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    void Write(SideCar told, bool over)
    {
        if (recording.IsDevice)
        {
            return;
        }

        SideCarFile.Write(SideCarFile.PathFor(recording.Path), told with
        {
            Source = session.Source,
            Depth = session.Depth,
            HeartbeatMs = heartbeatMs,
            EndedEarlyAtBytes = Early is null ? null : recording.Bytes,
            Remarks = Early is { } remark ? [remark] : [],
        }, over);
    }
}
