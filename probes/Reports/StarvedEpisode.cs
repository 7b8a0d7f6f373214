namespace Tpwatch.Reports;

/// <summary>A stretch in which items waited for a worker.</summary>
/// <param name="Span">From when to when.</param>
/// <param name="Kind">Starved, SilentlyStarved or Saturated; NotThePool where the process itself did not run for most of it.</param>
/// <param name="Over">Whether it has ended.</param>
/// <param name="ProvenWaitMs">Some item has waited at least so long; a proven lower bound, milliseconds.</param>
public sealed record StarvedEpisode(EventSpan Span, Verdict Kind, bool Over, double ProvenWaitMs);
