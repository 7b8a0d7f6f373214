namespace Tpwatch.Screen.State;

/// <summary>The two marks of a measured span; the second is null until the user sets it.</summary>
sealed record Measure(EventTime A, EventTime? B);
