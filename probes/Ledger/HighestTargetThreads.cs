namespace Tpwatch.Ledger;

/// <summary>
/// The highest number of threads that the pool was seen to target or to have. Threads that the pool returns below that number do not
/// violate MaxThreads.
/// </summary>
/// <param name="Since">When it was seen to rise to this number; null when it had this number at the first observation.</param>
/// <param name="GivenBack">Number of injections by the gate thread since then, each the result of a gate check.</param>
/// <param name="IsMaxForTaskWaits">Whether repeated rises to this number for task waits show that it is MaxThreads.</param>
readonly record struct HighestTargetThreads(EventTime? Since, int GivenBack, bool IsMaxForTaskWaits);
