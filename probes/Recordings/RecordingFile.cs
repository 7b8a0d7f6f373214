using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>The file to which the raw stream is written. A failed write or the size limit ends the recording, not the session.</summary>
sealed class RecordingFile(FileStream file, long limitBytes) : IDisposable
{
    bool ended;

    public string Path => file.Name;

    public long Bytes { get; private set; }

    /// <summary>Whether the file is a device such as /dev/null, which gets no side-car.</summary>
    public bool IsDevice { get; } = PrivateFile.IsDevice(file);

    /// <summary>Whether a write failed, for example on a full disk. Reaching the size limit is not a failure.</summary>
    public bool Failed { get; private set; }

    /// <summary>Why the recording ended before the session, one sentence; null if the recording did not end early.</summary>
    public string? Remark { get; private set; }

    /// <summary>
    /// Creates the file, which only its owner can read, if the path does not exist; with <paramref name="over"/>, replaces an existing
    /// file. Throws <see cref="UserErrorException"/> (exit code 3) if the file cannot be written.
    /// </summary>
    public static RecordingFile Create(string path, long limitBytes, bool over = false) =>
        new(PrivateFile.CreateNew(path, over), limitBytes);

    /// <summary>Closes and deletes the created file; called if the recording cannot start.</summary>
    public void Abandon()
    {
        Dispose();
        if (!IsDevice)
        {
            File.Delete(Path);
        }
    }

    /// <summary>Appends bytes without buffering, so that all bytes read so far are in the file even if tpwatch is killed.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        if (ended)
        {
            return;
        }

        var fitting = bytes[..(int)Math.Min(bytes.Length, limitBytes - Bytes)];
        try
        {
            file.Write(fitting);
            Bytes += fitting.Length;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Failed = true;
            End($"The recording ended early: {e.Message}");
            return;
        }

        if (fitting.Length < bytes.Length)
        {
            End($"The recording reached its limit of {Format.Count(limitBytes)} bytes and stopped before the session ended.");
        }
    }

    public void Dispose()
    {
        ended = true;
        file.Dispose();
    }

    void End(string remark)
    {
        ended = true;
        Remark = remark;
    }
}

/// <summary>
/// The side-car of a recording in progress. The constructor writes a first version, so that an unwritable path is reported at the start.
/// <see cref="Finish"/> writes the final version with the session's readings and the remarks.
/// </summary>
sealed class RecordingSideCar
{
    readonly RecordingFile recording;
    readonly ISession session;
    readonly double? sampleIntervalMs;
    bool killed;

    /// <summary>The start stream of the target, as nettrace; null if there is none.</summary>
    public byte[]? Start { get; set; }

    /// <summary>Writes the initial side-car. Throws <see cref="UserErrorException"/> (exit code 3) if the file cannot be written.</summary>
    /// <param name="recording">The recording to which the side-car belongs.</param>
    /// <param name="session">The session that is recorded.</param>
    /// <param name="sampleIntervalMs">Interval of the counter samples, milliseconds.</param>
    /// <param name="over">Whether the side-car replaces an existing file.</param>
    public RecordingSideCar(RecordingFile recording, ISession session, double? sampleIntervalMs, bool over)
    {
        (this.recording, this.session, this.sampleIntervalMs) = (recording, session, sampleIntervalMs);
        Write(SideCarFile.Describe(session.Target, []), over);
    }

    /// <summary>Writes the final side-car; returns null, or one sentence that says why the file cannot be written.</summary>
    public string? Finish(
        SessionEnd end, IEnumerable<ClockReading> clock, IEnumerable<ProcessReading> process, SideCarBursts? bursts,
        ImmutableArray<SideCarInside>? inside)
    {
        try
        {
            killed = end == SessionEnd.TargetKilled;
            Write(SideCarFile.Describe(session.Target, clock) with
            {
                Process = [.. process.Select(SideCarProcessReading.Of)],
                Bursts = bursts,
                Inside = inside,
                Start = Start,
                DeepId = session.Depth.HasSession() ? IdOf(SideStreamRecording.PathFor(recording.Path)) : null,
            }, over: true);
            return null;
        }
        catch (UserErrorException e)
        {
            return e.Message;
        }
    }

    // Why the recording has no end mark, one sentence; null if the recording is complete.
    string? Early => recording.Remark ?? (killed ? "The process was killed; the recording holds everything up to then." : null);

    static string? IdOf(string second)
    {
        try
        {
            using var file = RegularFile.OpenRead(second);
            return TraceHeader.Of(file)?.Id;
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
            SampleIntervalMs = sampleIntervalMs,
            EndedEarlyAtBytes = Early is null ? null : recording.Bytes,
            Remarks = Early is { } remark ? [remark] : [],
        }, over);
    }
}
