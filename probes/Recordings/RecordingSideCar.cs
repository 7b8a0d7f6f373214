using Tpwatch.Basics;
using Tpwatch.Reports;
using Tpwatch.Streams;

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

    /// <summary>Writes the first one. <see cref="ForeseenException"/> (exit code 3) when that is not possible.</summary>
    public RecordingSideCar(RecordingFile recording, ISession session, double? heartbeatMs)
    {
        (this.recording, this.session, this.heartbeatMs) = (recording, session, heartbeatMs);
        Write([], [], null);
    }

    /// <summary>Writes the last one; the sentence that says why not when that is not possible.</summary>
    public string? Finish(IEnumerable<ClockReading> clock, IEnumerable<ProcessReading> process, SideCarBursts? bursts)
    {
        try
        {
            Write(clock, process, bursts);
            return null;
        }
        catch (ForeseenException e)
        {
            return e.Message;
        }
    }

    void Write(IEnumerable<ClockReading> clock, IEnumerable<ProcessReading> process, SideCarBursts? bursts)
    {
        if (recording.IsDevice)
        {
            return;
        }

        SideCarFile.Write(SideCarFile.PathFor(recording.Path), SideCarFile.Describe(session.Target, clock) with
        {
            Source = session.Source,
            Depth = session.Depth,
            Process = [.. process.Select(SideCarProcess.Of)],
            Bursts = bursts,
            HeartbeatMs = heartbeatMs,
            EndedEarlyAtBytes = recording.Remark is null ? null : recording.Bytes,
            Remarks = recording.Remark is { } remark ? [remark] : [],
        });
    }
}
