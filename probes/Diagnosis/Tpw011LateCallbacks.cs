using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Reports that callbacks such as timers are late while items wait: callbacks need a worker thread, too.</summary>
sealed class Tpw011LateCallbacks : IFindingRule
{
    /// <summary>Major version of the first runtime that puts the first due timer into the high-priority queue.</summary>
    const int TimersGoFirst = 7;

    public string Id => "TPW011";
    public string Title => "Late timers, timeouts and callbacks";

    public FindingMeaning Text { get; } = new(
        "Timers, registered waits, socket callbacks and await continuations need a worker thread too, so starvation makes them late.",
        "Since .NET 7, the first of several due timers and registered waits run before the queued items. Other due timers, and most "
            + "continuations, wait behind the items that were queued earlier. On Linux and macOS, all socket events also wait behind "
            + "queued items.",
        "The proven queue time of the items. A callback that was queued right after an item was late by about the queue time of that item.",
        "Fix the starvation itself. Run code that must be on time, such as a health check, on a dedicated thread. Longer timeouts only "
            + "hide the starvation.",
        "A process without timers and sockets has nothing that could be late. The events do not show whether the process has timers and "
            + "sockets.");

    public FindingCause Cause(PoolEvidence report) => new(CauseKind.Effect, null) { OfHeldThreads = true };

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var starved = report.Episodes.Where(e => e.Kind.IsWait()).ToArray();
        if (starved.Length == 0)
        {
            return MissingEvidence.ClearUnless(
                MissingEvidence.Lost(report, "and items may have waited in that time"), MissingEvidence.CounterSamples(report));
        }

        var proven = WaitingEpisodes.LongestMs(report);

        // At MaxThreads, timers get no added thread either, so injection delays are no upper bound of a timer's lateness.
        var still = report.InjectionDelays.Any(g => g.Mechanism == Mechanism.G8Ceiling) ? 0
            : StarvationInjections.WhileItemsWaited(report).Select(g => g.ObservedMs).Max() ?? 0;
        return Math.Max(proven, still) > 0 ? new FindingRuleAnswer.Found(new(
            Id, Title, Severity.Note, Confidence.High, starved[0].Span.From, starved[^1].Span.To,
            "Timers, timeouts, registered waits and socket reads need a worker thread too. "
                + (proven >= still ? "If the process has such callbacks, most of these waited behind queued items, "
                        + $"some for at least {Format.Duration(proven)}."
                    : $"If the process has such callbacks, {Lowered(First(report))} were late by at most {Format.Duration(still)}."),
            [
                WaitingEpisodes.Longest(report),
                new(Before(report, isException: proven >= still), still, "ms", "event 55") { GoesOn = true },
            ],
            [new((report.Verdict == Verdict.Wedged ? "" : "Fix the blocking. ")
                + "Timeouts logged in this period are a symptom: do not raise the timeouts.")]))
            : new FindingRuleAnswer.Undecided(MissingKind.CounterSamples,
                "neither counter samples nor a thread injection shows how long items waited");
    }

    static bool IsWindows(PoolEvidence report) => report.Timeline.Target.Os?.Contains("win", StringComparison.OrdinalIgnoreCase) == true
        && !report.Timeline.Target.Os.Contains("darwin", StringComparison.OrdinalIgnoreCase);

    static bool HasTimerQueue(PoolEvidence report) => report.Timeline.Target.RuntimeMajor < TimersGoFirst;

    // The callbacks that wait only for a thread, and not behind the queued items.
    static string First(PoolEvidence report) => HasTimerQueue(report)
        ? "Timers" : $"Registered waits{(IsWindows(report) ? ", sockets" : "")} and the first due timer";

    static string Before(PoolEvidence report, bool isException) =>
        HasTimerQueue(report) || !isException ? $"{First(report)} were late by at most"
        : $"Exception: {Lowered(First(report))} run first. They were late by at most";

    static string Lowered(string text) => char.ToLowerInvariant(text[0]) + text[1..];
}
