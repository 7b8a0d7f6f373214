namespace Tpwatch.Forecast;

/// <summary>How long an item holds its worker thread, derived from completions.</summary>
/// <param name="Ms">Middle of the values that explain the completions equally well, milliseconds.</param>
/// <param name="LowMs">The smallest such value, milliseconds.</param>
/// <param name="HighMs">The largest such value, milliseconds.</param>
/// <param name="InStep">
/// Whether completions follow the times at which worker threads began, so that items run about equally long; otherwise their phases are
/// unknown.
/// </param>
sealed record RunTime(double Ms, double LowMs, double HighMs, bool InStep);

/// <summary>A time at which a worker thread began an item.</summary>
/// <param name="At">The time.</param>
/// <param name="Known">False for a worker thread that was busy before the first observation.</param>
readonly record struct WorkerPhase(EventTime At, bool Known);

/// <summary>Items completed since counting began, at a counter sample.</summary>
/// <param name="At">The time of the counter sample.</param>
/// <param name="Completed">The number of items.</param>
/// <param name="Working">Number of busy worker threads.</param>
readonly record struct CompletedUpTo(EventTime At, double Completed, int Working);
