namespace Tpwatch.Ledger;

/// <summary>The most threads that the pool was ever seen to want or to have: what it gives back below that, max does not forbid.</summary>
/// <param name="Since">Since when, where it was seen to rise to it; null where it was so high when it was first seen.</param>
/// <param name="GivenBack">Injections of the gate since then, each the answer to a check.</param>
/// <param name="IsMaxForTaskWaits">Whether task waits that bring it there again and again show that it is max.</param>
readonly record struct HighestGoal(EventTime? Since, int GivenBack, bool IsMaxForTaskWaits);
