namespace Tpwatch.Reports;

/// <summary>A time span in which items waited for a worker thread, or in which work hung.</summary>
/// <param name="Span">Start and end.</param>
/// <param name="Kind">A kind of starvation or Saturated; NotThePool if the process itself did not run for most of the span.</param>
/// <param name="Over">Whether the episode has ended.</param>
/// <param name="ProvenWaitMs">Proven lower bound of the longest queue time, milliseconds.</param>
public sealed record StarvedEpisode(EventSpan Span, Verdict Kind, bool Over, double ProvenWaitMs);
