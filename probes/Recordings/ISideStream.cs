namespace Tpwatch.Recordings;

/// <summary>
/// A second stream of events beside a session's own; nettrace as well, read to its end: on a thread of its own, or without holding one.
/// </summary>
interface ISideStream : IAsyncDisposable
{
    /// <summary>The nettrace bytes. Blocking reads, unless it is asked for others.</summary>
    Stream Events { get; }

    /// <summary>
    /// Whether every event carries its stack, since the runtime cannot leave them out: then an event costs nine times as much.
    /// </summary>
    bool WithStacks { get; }

    /// <summary>What its reader should know of how it ended, one sentence; null where that is as it should be.</summary>
    /// <param name="properEndMark">Whether its end mark came.</param>
    string? Ended(bool properEndMark);

    /// <summary>Asks for the end; the reader keeps draining. Bounded in time; never throws for a target that is gone.</summary>
    Task StopAsync(CancellationToken cancel);
}
