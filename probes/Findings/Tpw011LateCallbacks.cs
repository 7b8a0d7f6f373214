using Tpwatch.Basics;
using Tpwatch.Findings.Clues;
using Tpwatch.Reports;

namespace Tpwatch.Findings;

/// <summary>What else is late while items wait: everything that needs a worker to be told of.</summary>
sealed class Tpw011LateCallbacks : IFinder
{
    /// <summary>From .NET 7 on the first due timer goes to the queue that is taken first.</summary>
    const int TimersGoFirst = 7;

    public string Id => "TPW011";

    public string Title => "Late timers, timeouts and callbacks";

    public FindingMeaning Text { get; } = new(
        "Timers, registered waits, socket callbacks and continuations of await need a worker thread too, so they are late. Since "
            + ".NET 7 the first due timer and registered waits go before the queue. Further timers and continuations wait behind every "
            + "item. On Linux and macOS, so do all socket events.",
        "Items that waited. The proven wait says how late a callback was at least.",
        "Fix the starvation itself. Give what must be on time, such as a health check, a thread of its own. Longer timeouts only "
            + "hide it.",
        "A process without timers and sockets has nothing that could be late. The event stream does not say which it has.");

    public FindingCause Cause(PoolReport report) =>
        new(CauseKind.Effect, null) { OfHeldThreads = true };

    public FinderAnswer Look(PoolReport report)
    {
        var starved = report.Episodes.Where(e => e.Kind.IsWait()).ToArray();
        if (starved.Length == 0)
        {
            return report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true }
                ? new FinderAnswer.Undecided("events were lost; items may have waited meanwhile")
                : report.Timeline.Heartbeats.Length < 2 ? new FinderAnswer.Undecided(
                    "queue length and completions: at least two counter samples")
                : new FinderAnswer.Clear();
        }

        var proven = starved.Max(e => e.ProvenWaitMs);
        var still = StandingCompensation.Injections(report).Select(g => g.ObservedMs).Max() ?? 0;
        return Math.Max(proven, still) > 0 ? new FinderAnswer.Found(new(
            Id, Title, Severity.Note, Confidence.High, starved[0].Span.From, starved[^1].Span.To,
            "Timers, timeouts, registered waits and socket reads need a worker thread too. Some were "
                + $"{(proven >= still ? "at least" : "up to")} {Format.Duration(Math.Max(proven, still))} late.",
            [
                .. proven > 0 ? [new(Behind(report), proven, "ms at least", "heartbeat")] : Array.Empty<Evidence>(),
                .. still > 0 ? [new(Before(report), still, "ms at most", "event 55")] : Array.Empty<Evidence>(),
            ],
            [new("Fix the blocking. Timeouts logged in this period are a symptom: do not raise them.")]))
            : new FinderAnswer.Undecided("how long items waited: counter samples that prove it, or an injection");
    }

    static bool IsWindows(PoolReport report) => report.Timeline.Target.Os?.Contains("win", StringComparison.OrdinalIgnoreCase) == true
        && !report.Timeline.Target.Os.Contains("darwin", StringComparison.OrdinalIgnoreCase);

    static string Behind(PoolReport report) => IsWindows(report)
        ? "Further timers and continuations, behind every item"
        : "Socket reads, further timers and continuations, behind every item";

    static string Before(PoolReport report) => report.Timeline.Target.RuntimeMajor < TimersGoFirst
        ? "Timers, in a queue of their own"
        : $"The first due timer and registered waits{(IsWindows(report) ? " and sockets" : "")}, before the queue";
}
