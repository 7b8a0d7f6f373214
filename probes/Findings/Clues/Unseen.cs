using Tpwatch.Reports;

namespace Tpwatch.Findings.Clues;

/// <summary>What a rule that found nothing may have missed; then it is undecided, not clear.</summary>
static class Unseen
{
    /// <summary>Where there are no two readings to compare.</summary>
    public const string TwoBeats = "queue length and completions are not known: that takes two counter samples";

    /// <summary>Where waits were forgotten.</summary>
    public const string NoOlderWaits = "older waits were discarded to limit memory use";

    /// <summary>Clear, unless something is missing; the first that is says so.</summary>
    public static FinderAnswer ClearUnless(params string?[] missing) =>
        missing.FirstOrDefault(m => m is not null) is { } first ? new FinderAnswer.Undecided(first) : new FinderAnswer.Clear();

    /// <summary>Null when no event was lost.</summary>
    public static string? Events(PoolReport report, string what) =>
        report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true }
            ? $"events were lost, and {what} may have been among them" : null;

    /// <summary>Null when backlog and completions are known.</summary>
    public static string? Beats(PoolReport report) =>
        report.Timeline.Heartbeats.Length < 2 ? TwoBeats : null;

    /// <summary>Null when every gap is still kept.</summary>
    public static string? Older(PoolReport report) =>
        report.Evicted > 0 ? "older injection delays were discarded to limit memory use" : null;

    /// <summary>Null when every wait is still kept, whatever became of moves.</summary>
    public static string? OlderWaits(PoolReport report) => report.EvictedWaits > 0 ? NoOlderWaits : null;
}
