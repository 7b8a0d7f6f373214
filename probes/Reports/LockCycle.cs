namespace Tpwatch.Reports;

/// <summary>
/// Threads of which each waits for a lock that the next one holds: unless a wait has a timeout, none of them can continue.
/// </summary>
/// <param name="Threads">OS ids of these threads, each followed by the thread that holds the lock it waits for.</param>
/// <param name="Places">The place where each of them waits: the method of the application and the call, such as
/// <c>Ledgers.Close > Monitor.Enter</c>.</param>
/// <param name="Blocked">Number of threads that wait for one of their locks, including these threads.</param>
/// <param name="Workers">Number of those that are worker threads of the pool.</param>
public sealed record LockCycle(ImmutableArray<int> Threads, ImmutableArray<string> Places, int Blocked, int Workers);
