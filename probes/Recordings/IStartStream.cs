namespace Tpwatch.Recordings;

/// <summary>
/// What was seen of a young process before counters were switched on in it: a stream of its own, which is read first. The pool's own events
/// come from the runtime's native code; counters begin managed code in the target.
/// </summary>
interface IStartStream
{
    /// <summary>The nettrace bytes. Blocking reads; ends when the session's own stream begins, or with the session.</summary>
    Stream Events { get; }

    /// <summary>
    /// Whether the session's own stream follows. Asked by the reader, on a thread that may sleep, when this one has ended; bounded in time.
    /// </summary>
    bool IsFollowed();
}
