namespace Tpwatch.Reports;

/// <summary>The items that were taken, and those that ended, in a slice of event time.</summary>
sealed record ItemSlice(EventSpan Span, DurationCounts Delay, DurationCounts Run);
