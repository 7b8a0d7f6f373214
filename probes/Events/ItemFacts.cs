namespace Tpwatch.Events;

/// <summary>An item was queued to the pool (event 30 of the framework's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that queued it.</param>
/// <param name="Id">The runtime's hash of the item; an object queued again has an equal hash, and other objects may share it.</param>
readonly record struct ItemQueued(EventTime At, int ThreadId, long Id);

/// <summary>A worker thread took an item and now runs it (event 31 of the framework's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Id">Pairs with <see cref="ItemQueued"/>.</param>
readonly record struct ItemTaken(EventTime At, int ThreadId, long Id);

/// <summary>A thread found a lock taken and waits for it (event 81).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that waits.</param>
/// <param name="LockId">Id of the lock; 0 where the runtime does not report it.</param>
/// <param name="OwnerThreadId">OS id of the thread that then held it; 0 where the runtime does not report it.</param>
readonly record struct LockAwaited(EventTime At, int ThreadId, long LockId, int OwnerThreadId);

/// <summary>A thread that had waited for a lock has acquired it (event 91).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread.</param>
readonly record struct LockTaken(EventTime At, int ThreadId);
