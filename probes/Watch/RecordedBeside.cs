using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Watch;

/// <summary>The recording that is made while watching, and its side-car; used by the reading thread, its two answers by any.</summary>
sealed class RecordedBeside
{
    readonly RecordingSideCar sideCar;
    volatile string? sideCarFailure;

    RecordedBeside(RecordingFile file, RecordingFile? second, RecordingSideCar sideCar) =>
        (File, Second, this.sideCar) = (file, second, sideCar);

    /// <summary>The raw stream's file.</summary>
    public RecordingFile File { get; }

    /// <summary>That of the second stream; null where there is none.</summary>
    public RecordingFile? Second { get; }

    /// <summary>Why it ended before the session did or lacks its side-car; null while it goes on.</summary>
    public string? Remark => File.Remark ?? sideCarFailure;

    /// <summary>Whether something of it could not be written.</summary>
    public bool Failed => File.Failed || sideCarFailure is not null;

    /// <summary>
    /// Begins a recording; null where none is asked for. <see cref="ForeseenException"/> when a file of it cannot be created; then none is
    /// left.
    /// </summary>
    public static RecordedBeside? Begin(ISession session, WatchOptions options)
    {
        if (options.RecordTo is not { } path)
        {
            return null;
        }

        var file = RecordingFile.Create(path, options.RecordLimitBytes, options.RecordOver);
        RecordingFile? second = null;
        try
        {
            second = session.Beside is null || file.IsDevice
                ? null
                : RecordingFile.Create(RecordedStream.PathFor(path), options.RecordLimitBytes, options.RecordOver);
            return new(file, second, new(file, session, options.Heartbeat?.TotalMilliseconds, options.RecordOver));
        }
        catch
        {
            file.Abandon();
            second?.Abandon();
            throw;
        }
    }

    /// <summary>What was read of the process before the stream that is recorded.</summary>
    public void Begin(byte[] start) => sideCar.Start = start;

    /// <summary>Closes both files; what went wrong with either, one sentence each.</summary>
    public IEnumerable<string> Finish(SessionEnd end, ClockLog clocks, ProcessLog processes, StacksSeen? stacks)
    {
        File.Dispose();
        var seen = stacks ?? StacksSeen.None;
        sideCarFailure = sideCar.Finish(
            end, clocks.Readings, processes.Readings, BurstPacking.Pack(seen), BurstPacking.PackInside(seen));
        return new[] { File.Remark, sideCarFailure }.OfType<string>();
    }
}
