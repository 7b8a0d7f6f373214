using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Finds missing data that a rule without a result may have needed; the rule is then undecided, not clear.</summary>
static class MissingEvidence
{
    /// <summary>Clear if nothing is missing; otherwise undecided with the first reason.</summary>
    public static FinderAnswer ClearUnless(params Missing?[] missing) =>
        missing.FirstOrDefault(m => m is not null) is { } first ? new FinderAnswer.Undecided(first) : new FinderAnswer.Clear();

    /// <summary>Null when events of the pool arrived and none was lost; otherwise the reason, with the possibly lost event.</summary>
    public static Missing? Events(PoolEvidence report, string what) =>
        NoPoolEvents.Is(report.Timeline) ? new(MissingKind.Events, "the pool sent no event")
            : Lost(report, $"and {what} may have been among them");

    /// <summary>Null when no event was lost; otherwise the reason, with its consequence.</summary>
    public static Missing? Lost(PoolEvidence report, string so) =>
        report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? new(MissingKind.LostEvents, $"events were lost, {so}") : null;

    /// <summary>Whether no event was lost before a given time.</summary>
    public static bool NothingLostBefore(PoolEvidence report, EventTime at) =>
        report.Timeline.Quality.LossSpans.All(loss => loss.From > at);

    /// <summary>Null when queue length and completions are known; otherwise the reason.</summary>
    public static Missing? CounterSamples(PoolEvidence report) => report.Timeline.CounterSamples.Length < 2
        ? new(MissingKind.CounterSamples, "queue length and completions are not known: that takes two counter samples") : null;

    /// <summary>Null when every injection delay is still kept; otherwise the reason.</summary>
    public static Missing? Older(PoolEvidence report) =>
        report.Evicted > 0 ? new(MissingKind.History, "older injection delays were discarded to limit memory use") : null;

    /// <summary>Null when every wait is still kept, even if other adjustments were dropped; otherwise the reason.</summary>
    public static Missing? OlderWaits(PoolEvidence report) =>
        report.EvictedWaits > 0 ? new(MissingKind.History, "older waits were discarded to limit memory use") : null;
}
