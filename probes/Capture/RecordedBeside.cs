using Tpwatch.Basics;
using Tpwatch.Recordings;
using Tpwatch.Stacks;
using Tpwatch.Streams;

namespace Tpwatch.Capture;

/// <summary>The recording that is made while watching, and its side-car; used by the reading thread, its two answers by any.</summary>
sealed class RecordedBeside
{
    readonly RecordingSideCar sideCar;
    volatile string? sideCarFailure;

    RecordedBeside(RecordingFile file, RecordingSideCar sideCar) => (File, this.sideCar) = (file, sideCar);

    /// <summary>The raw stream's file.</summary>
    public RecordingFile File { get; }

    /// <summary>Why it ended before the session did or lacks its side-car; null while it goes on.</summary>
    public string? Remark => File.Remark ?? sideCarFailure;

    /// <summary>Whether something of it could not be written.</summary>
    public bool Failed => File.Failed || sideCarFailure is not null;

    /// <summary>Begins a recording; null where none is asked for. <see cref="ForeseenException"/> when it cannot be created.</summary>
    public static RecordedBeside? Begin(ISession session, WatchOptions options)
    {
        if (options.RecordTo is not { } path)
        {
            return null;
        }

        var file = RecordingFile.Create(path, options.RecordLimitBytes);
        try
        {
            return new(file, new(file, session, options.Heartbeat?.TotalMilliseconds));
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Closes both files; what went wrong with either, one sentence each.</summary>
    public IEnumerable<string> Finish(ClockLog clocks, ProcessLog processes, StacksSeen? stacks)
    {
        File.Dispose();
        sideCarFailure = sideCar.Finish(clocks.Readings, processes.Readings, BurstPacking.Pack(stacks ?? StacksSeen.None));
        return new[] { File.Remark, sideCarFailure }.OfType<string>();
    }
}
