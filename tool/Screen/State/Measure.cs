namespace Tpwatch.Screen.State;

/// <summary>Two moments between which is measured; the second is still to come when null.</summary>
sealed record Measure(EventTime A, EventTime? B);
