namespace Tpwatch.Recordings;

/// <summary>The second stream of a recording, from the file next to it.</summary>
sealed class RecordedStream : ISideStream
{
    const string Ending = ".nettrace";
    const string Deep = ".deep";

    readonly FileStream file;
    readonly StoppableStream events;
    readonly bool mayBreakOff;

    RecordedStream(FileStream file, bool mayBreakOff)
    {
        (this.file, this.mayBreakOff) = (file, mayBreakOff);
        events = new StoppableStream(file);
    }

    public Stream Events => events;
    public bool WithStacks => false;

    public string? Ended(bool properEndMark) => properEndMark || events.Stopped || mayBreakOff ? null
        : $"{Path.GetFileName(file.Name)} next to the recording is incomplete or damaged: "
            + "work items and locks are known only up to that point.";

    /// <summary>
    /// Path of the second stream, unique for each recording: <c>x.deep.nettrace</c> for <c>x.nettrace</c>, and <c>x.deep</c> for <c>x</c>.
    /// Any other extension counts as part of the name: <c>run.1</c> and <c>run.2</c> are two recordings.
    /// </summary>
    public static string PathFor(string recording) => recording.EndsWith(Ending, StringComparison.OrdinalIgnoreCase)
        ? recording[..^Ending.Length] + Deep + recording[^Ending.Length..]
        : recording + Deep;

    /// <summary>Path of the recording to which a second stream belongs; null if the path is not that of a second stream.</summary>
    public static string? WholeOf(string path) =>
        path.EndsWith(Deep, StringComparison.OrdinalIgnoreCase) ? path[..^Deep.Length]
        : path.EndsWith(Deep + Ending, StringComparison.OrdinalIgnoreCase) ? path[..^(Deep.Length + Ending.Length)] + path[^Ending.Length..]
        : null;

    /// <summary>Opens the second stream; null with a remark if it does not exist, cannot be read or belongs to another recording.</summary>
    /// <param name="first">The recording's own stream, which is left at its start.</param>
    /// <param name="told">The side-car, with the id of the second stream and whether both ended early; null if there is none.</param>
    /// <param name="remark">Why there is no second stream.</param>
    public static RecordedStream? Open(FileStream first, SideCar? told, out string? remark)
    {
        var path = PathFor(first.Name);
        FileStream? file = null;
        try
        {
            remark = null;
            file = RegularFile.OpenRead(path);
            TraceHeader.Check(file, path);
            if (IsOf(first, told?.DeepId, TraceHeader.Of(file)))
            {
                return new RecordedStream(file, told is { EndedEarlyAtBytes: not null });
            }

            file.Dispose();
            remark = $"{Path.GetFileName(path)} belongs to another recording and is not used: work items and locks are not known.";
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or UserErrorException)
        {
            file?.Dispose();
            remark = "Work items and locks are not known: they were recorded, "
                + $"but {Path.GetFileName(path)} next to the recording cannot be read.";
            return null;
        }
    }

    public Task StopAsync(CancellationToken cancel)
    {
        events.Stop();
        return Task.CompletedTask;
    }

    public ValueTask DisposeAsync() => file.DisposeAsync();

    // If the recorder was killed, the side-car does not contain the id.
    static bool IsOf(FileStream first, string? id, TraceHeader? second) =>
        id is null ? second is { } stamp && TraceHeader.Of(first)?.MayHave(stamp) == true : second?.Id == id;
}

/// <summary>A stream that any thread can end early for its reader.</summary>
sealed class StoppableStream(Stream inner) : PassingStream
{
    volatile bool stopped;
    long passed;

    /// <summary>Whether <see cref="Stop"/> was called.</summary>
    public bool Stopped => stopped;

    /// <summary>Whether the reader reached the end of the inner stream.</summary>
    public bool ReachedEnd { get; private set; }

    /// <summary>Number of bytes read. Any thread can read it.</summary>
    public long Passed => Interlocked.Read(ref passed);

    /// <summary>Makes later reads return the end of the stream.</summary>
    public void Stop() => stopped = true;

    public override int Read(Span<byte> buffer)
    {
        if (stopped)
        {
            return 0;
        }

        var count = inner.Read(buffer);
        Interlocked.Add(ref passed, count);
        ReachedEnd = count == 0 && !buffer.IsEmpty;
        return count;
    }
}
