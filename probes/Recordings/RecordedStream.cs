using Tpwatch.Basics;
using Tpwatch.Streams;

namespace Tpwatch.Recordings;

/// <summary>The second stream of a recording, from the file beside it.</summary>
sealed class RecordedStream : ISideStream
{
    const string Ending = ".nettrace";

    readonly FileStream file;
    readonly StoppableStream events;

    RecordedStream(FileStream file)
    {
        this.file = file;
        events = new StoppableStream(file);
    }

    /// <inheritdoc/>
    public Stream Events => events;

    /// <inheritdoc/>
    public bool WithStacks => false;

    /// <summary>
    /// Its path beside a recording: <c>x.nettrace</c> has <c>x.deep.nettrace</c>, and so has <c>x</c>. Any other ending belongs to the
    /// name: <c>run.1</c> and <c>run.2</c> are two recordings.
    /// </summary>
    public static string PathFor(string recording) =>
        (recording.EndsWith(Ending, StringComparison.OrdinalIgnoreCase) ? recording[..^Ending.Length] : recording) + ".deep" + Ending;

    /// <summary>Opens it; null with a remark when it is not there or cannot be read.</summary>
    public static RecordedStream? Open(string recording, out string? remark)
    {
        var path = PathFor(recording);
        FileStream? file = null;
        try
        {
            remark = null;
            file = RegularFile.OpenRead(path);
            NettraceMagic.Check(file, path);
            return new RecordedStream(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ForeseenException)
        {
            file?.Dispose();
            remark = $"Work items and locks were recorded, but {Path.GetFileName(path)} beside the recording "
                + "cannot be read: they are not known.";
            return null;
        }
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancel)
    {
        events.Stop();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => file.DisposeAsync();
}
