namespace Tpwatch.Recordings;

/// <summary>
/// The events of a new process before counters were enabled in it, as a separate stream that is read first. The pool's own events come from
/// the runtime's native code, whereas counters start managed code in the target.
/// </summary>
interface IStartStream
{
    /// <summary>The nettrace bytes. Reads block; the stream ends when the session's own stream begins, or with the session.</summary>
    Stream Events { get; }

    /// <summary>
    /// Whether the session's own stream follows. The reader calls it after this stream has ended, on a thread that may block; bounded in
    /// time.
    /// </summary>
    bool IsFollowed();
}
