namespace Tpwatch.Screen.State;

/// <summary>A frozen display, which stays unchanged while the capture goes on.</summary>
/// <param name="Shown">The report that is shown.</param>
/// <param name="Newest">The newest report.</param>
sealed record Freeze(PoolReport Shown, PoolReport Newest);
