namespace Tpwatch.Reports;

/// <summary>A deadlock: each thread waits for a lock that the next thread holds; only a wait with a timeout can end it.</summary>
/// <param name="Threads">OS ids of the threads; after each thread comes the holder of the lock that the thread waits for.</param>
/// <param name="Places">The place where each thread waits: the method of the application and the call, such as
/// <c>Ledgers.Close > Monitor.Enter</c>.</param>
/// <param name="Blocked">Number of threads that wait for a lock of this cycle, directly or indirectly; includes the threads of the
/// cycle.</param>
/// <param name="Workers">Number of worker threads of the pool among the blocked threads.</param>
public sealed record LockCycle(ImmutableArray<int> Threads, ImmutableArray<string> Places, int Blocked, int Workers);
