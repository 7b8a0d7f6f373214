using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>What a rule that found nothing may have missed; then it is undecided, not clear.</summary>
static class Unseen
{
    /// <summary>Where waits were forgotten.</summary>
    public const string NoOlderWaits = "older waits were discarded to limit memory use";

    /// <summary>Clear, unless something is missing; the first that is says so.</summary>
    public static FinderAnswer ClearUnless(params string?[] missing) =>
        missing.FirstOrDefault(m => m is not null) is { } first ? new FinderAnswer.Undecided(first) : new FinderAnswer.Clear();

    /// <summary>Null when events of the pool came and none was lost; else what may have been among them.</summary>
    public static string? Events(PoolReport report, string what) =>
        MutePool.Is(report.Timeline) ? "the pool sent no event" : Lost(report, $"and {what} may have been among them");

    /// <summary>Null when no event was lost; else what follows from it.</summary>
    public static string? Lost(PoolReport report, string so) =>
        report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? $"events were lost, {so}" : null;

    /// <summary>Whether no event was lost before a moment.</summary>
    public static bool NothingLostBefore(PoolReport report, EventTime at) =>
        report.Timeline.Quality.LossSpans.All(loss => loss.From > at);

    /// <summary>Null when backlog and completions are known.</summary>
    public static string? Beats(PoolReport report) =>
        report.Timeline.Heartbeats.Length < 2 ? "queue length and completions are not known: that takes two counter samples" : null;

    /// <summary>Null when every gap is still kept.</summary>
    public static string? Older(PoolReport report) =>
        report.Evicted > 0 ? "older injection delays were discarded to limit memory use" : null;

    /// <summary>Null when every wait is still kept, whatever became of moves.</summary>
    public static string? OlderWaits(PoolReport report) => report.EvictedWaits > 0 ? NoOlderWaits : null;
}
