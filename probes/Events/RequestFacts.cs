namespace Tpwatch.Events;

/// <summary>A request started: its thread enters the service's own pipeline (event 3 of Kestrel's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that runs its first part.</param>
/// <param name="Id">A hash of the server's id of the request.</param>
/// <param name="Route">Method and path, with numbers and ids replaced unless the user asked for whole paths.</param>
readonly record struct RequestStarted(EventTime At, int ThreadId, ulong Id, string Route);

/// <summary>A request was answered (event 4 of Kestrel's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that ran its last part.</param>
/// <param name="Id">Pairs with <see cref="RequestStarted"/>.</param>
/// <param name="Route">The route of the request, also when it started before the session.</param>
readonly record struct RequestStopped(EventTime At, int ThreadId, ulong Id, string Route);
