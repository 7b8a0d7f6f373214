namespace Tpwatch.Recordings;

/// <summary>
/// A second event stream in addition to a session's own. It is nettrace as well and is read to its end, on a separate thread or
/// asynchronously.
/// </summary>
interface ISideStream : IAsyncDisposable
{
    /// <summary>The nettrace bytes. Reads block, unless the caller uses asynchronous reads.</summary>
    Stream Events { get; }

    /// <summary>Whether every event carries its stack because the runtime cannot omit it; an event then costs nine times as much.</summary>
    bool WithStacks { get; }

    /// <summary>Remark for the reader on how the stream ended, one sentence; null if it ended as expected.</summary>
    /// <param name="properEndMark">Whether the stream had its end mark.</param>
    string? Ended(bool properEndMark);

    /// <summary>
    /// Asks for the end of the stream, while the reader continues to read. Bounded in time; never throws if the target no longer exists.
    /// </summary>
    Task StopAsync(CancellationToken cancel);
}
