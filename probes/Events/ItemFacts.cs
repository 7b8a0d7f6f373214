namespace Tpwatch.Events;

/// <summary>An item was put into a queue of the pool (event 30 of the framework's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that queued it.</param>
/// <param name="Id">The runtime's hash of the item; the same object queued again has the same, and others may have it too.</param>
readonly record struct ItemQueued(EventTime At, int ThreadId, long Id);

/// <summary>A worker took an item and runs it now (event 31 of the framework's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker.</param>
/// <param name="Id">Pairs with <see cref="ItemQueued"/>.</param>
readonly record struct ItemTaken(EventTime At, int ThreadId, long Id);

/// <summary>A thread found a lock taken and waits for it (event 81).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that waits.</param>
/// <param name="LockId">Which lock; 0 where the runtime does not say.</param>
/// <param name="OwnerThreadId">OS id of the thread that held it then; 0 where the runtime does not say.</param>
readonly record struct LockAwaited(EventTime At, int ThreadId, long LockId, int OwnerThreadId);

/// <summary>A thread that had waited for a lock has it now (event 91).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread.</param>
readonly record struct LockTaken(EventTime At, int ThreadId);
