namespace Tpwatch.Events;

/// <summary>A request's turn has come: its thread enters the service's own pipeline (event 3 of Kestrel's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that runs its first part.</param>
/// <param name="Id">A hash of the server's own id of the request.</param>
/// <param name="Route">Method and path, numbers and ids replaced unless asked otherwise.</param>
readonly record struct RequestStarted(EventTime At, int ThreadId, ulong Id, string Route);

/// <summary>A request has been answered (event 4 of Kestrel's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that ran its last part.</param>
/// <param name="Id">Pairs with <see cref="RequestStarted"/>.</param>
/// <param name="Route">As of its start, which may lie before the session.</param>
readonly record struct RequestStopped(EventTime At, int ThreadId, ulong Id, string Route);
