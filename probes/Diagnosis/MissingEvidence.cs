using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Finds missing data that a rule without a result may have needed; the rule is then undecided, not clear.</summary>
static class MissingEvidence
{
    /// <summary>The reason when older waits were dropped.</summary>
    public const string NoOlderWaits = "older waits were discarded to limit memory use";

    /// <summary>Clear if nothing is missing; otherwise undecided with the first reason.</summary>
    public static FinderAnswer ClearUnless(params string?[] missing) =>
        missing.FirstOrDefault(m => m is not null) is { } first ? new FinderAnswer.Undecided(first) : new FinderAnswer.Clear();

    /// <summary>Null when events of the pool arrived and none was lost; otherwise the reason, with the possibly lost event.</summary>
    public static string? Events(PoolReport report, string what) =>
        NoPoolEvents.Is(report.Timeline) ? "the pool sent no event" : Lost(report, $"and {what} may have been among them");

    /// <summary>Null when no event was lost; otherwise the reason, with its consequence.</summary>
    public static string? Lost(PoolReport report, string so) =>
        report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? $"events were lost, {so}" : null;

    /// <summary>Whether no event was lost before a given time.</summary>
    public static bool NothingLostBefore(PoolReport report, EventTime at) =>
        report.Timeline.Quality.LossSpans.All(loss => loss.From > at);

    /// <summary>Null when queue length and completions are known; otherwise the reason.</summary>
    public static string? CounterSamples(PoolReport report) =>
        report.Timeline.CounterSamples.Length < 2 ? "queue length and completions are not known: that takes two counter samples" : null;

    /// <summary>Null when every injection delay is still kept; otherwise the reason.</summary>
    public static string? Older(PoolReport report) =>
        report.Evicted > 0 ? "older injection delays were discarded to limit memory use" : null;

    /// <summary>Null when every wait is still kept, even if other adjustments were dropped; otherwise the reason.</summary>
    public static string? OlderWaits(PoolReport report) => report.EvictedWaits > 0 ? NoOlderWaits : null;
}
