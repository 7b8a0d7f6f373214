namespace Tpwatch.Forecast;

/// <summary>How long an item holds its worker, as far as completions tell.</summary>
/// <param name="Ms">Middle of what explains them equally well, milliseconds.</param>
/// <param name="LowMs">Smallest that does.</param>
/// <param name="HighMs">Largest that does.</param>
/// <param name="InStep">
/// Whether completions follow the moments at which workers began, so that items run about equally long; else their phases are not known.
/// </param>
sealed record RunTime(double Ms, double LowMs, double HighMs, bool InStep);

/// <summary>A moment at which a worker began an item.</summary>
/// <param name="At">The moment.</param>
/// <param name="Known">False for a worker that was at work before anything was seen of it.</param>
readonly record struct WorkerPhase(EventTime At, bool Known);

/// <summary>Items completed since counting began, at a heartbeat.</summary>
/// <param name="At">The heartbeat.</param>
/// <param name="Completed">So many.</param>
/// <param name="Working">Workers at work.</param>
readonly record struct CompletedUpTo(EventTime At, double Completed, int Working);
