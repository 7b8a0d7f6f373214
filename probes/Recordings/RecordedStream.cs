namespace Tpwatch.Recordings;

/// <summary>The second stream of a recording, from the file beside it.</summary>
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
    /// Its path beside a recording, which no other has: <c>x.nettrace</c> has <c>x.deep.nettrace</c>, and <c>x</c> has <c>x.deep</c>. Any
    /// other ending belongs to the name: <c>run.1</c> and <c>run.2</c> are two recordings.
    /// </summary>
    public static string PathFor(string recording) => recording.EndsWith(Ending, StringComparison.OrdinalIgnoreCase)
        ? recording[..^Ending.Length] + Deep + recording[^Ending.Length..]
        : recording + Deep;

    /// <summary>The recording beside which that path lies; null where no path does.</summary>
    public static string? WholeOf(string path) =>
        path.EndsWith(Deep, StringComparison.OrdinalIgnoreCase) ? path[..^Deep.Length]
        : path.EndsWith(Deep + Ending, StringComparison.OrdinalIgnoreCase) ? path[..^(Deep.Length + Ending.Length)] + path[^Ending.Length..]
        : null;

    /// <summary>Opens it; null with a remark when it is not there, cannot be read or belongs to another recording.</summary>
    /// <param name="first">The recording's own stream, which is left at its start.</param>
    /// <param name="told">Which one is its own, and whether both were ended early; null where there is no side-car.</param>
    /// <param name="remark">Why there is none.</param>
    public static RecordedStream? Open(FileStream first, SideCar? told, out string? remark)
    {
        var path = PathFor(first.Name);
        FileStream? file = null;
        try
        {
            remark = null;
            file = RegularFile.OpenRead(path);
            NettraceMagic.Check(file, path);
            if (IsOf(first, told?.DeepId, StreamStamp.Of(file)))
            {
                return new RecordedStream(file, told is { EndedEarlyAtBytes: not null });
            }

            file.Dispose();
            remark = $"{Path.GetFileName(path)} belongs to another recording and is not used: work items and locks are not known.";
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ForeseenException)
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

    // Where the recorder was killed, the side-car does not say it.
    static bool IsOf(FileStream first, string? id, StreamStamp? second) =>
        id is null ? second is { } stamp && StreamStamp.Of(first)?.MayHave(stamp) == true : second?.Text == id;
}
