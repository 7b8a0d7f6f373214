namespace Tpwatch.Screen.State;

/// <summary>The display stands still while the capture goes on.</summary>
/// <param name="Shown">What is shown.</param>
/// <param name="Newest">What has arrived since.</param>
sealed record Freeze(PoolReport Shown, PoolReport Newest);
