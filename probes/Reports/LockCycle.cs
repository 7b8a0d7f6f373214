namespace Tpwatch.Reports;

/// <summary>
/// Threads each of which waits for a lock that the next one holds: unless a wait has a timeout, none of them ever goes on.
/// </summary>
/// <param name="Threads">OS ids of these threads, each before the one that holds the lock it waits for.</param>
/// <param name="Places">Where each of them waits: the method of the application and the call, such as
/// <c>Ledgers.Close > Monitor.Enter</c>.</param>
/// <param name="Blocked">How many threads wait for one of their locks, they themselves included.</param>
/// <param name="Workers">How many of those are worker threads of the pool.</param>
public sealed record LockCycle(ImmutableArray<int> Threads, ImmutableArray<string> Places, int Blocked, int Workers);
