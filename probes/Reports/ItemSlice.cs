namespace Tpwatch.Reports;

/// <summary>Queue times of the items dequeued in a slice of event time, and run times of the items completed in it.</summary>
sealed record ItemSlice(EventSpan Span, DurationCounts Delay, DurationCounts Run);
