using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Waits that have no adjustment event, found from heartbeats: silent starvation (G3), the ceiling (G8), a detector that is switched off
/// (G9), a process that did not run (G12), a wedged pool (G14). One gap each, open while it lasts.
/// </summary>
sealed class WaitTracker
{
    /// <summary>
    /// A proven wait of a second, twice what the runtime's own detector asks for, is called starvation. Two counter samples prove it, which
    /// are a second apart or up to 20 ms less.
    /// </summary>
    public const double AlarmMs = 1000 - BeatLog.BeatJitterMs;

    Gap? open;
    double longestMs;
    int? stood;
    string whereGrown = "";

    /// <summary>What the open wait is charged to; null when none is open.</summary>
    public Mechanism? Charged => open?.Mechanism;

    /// <summary>Takes a heartbeat.</summary>
    /// <returns>The gap to add or to replace, or null when nothing changed.</returns>
    public Gap? Take(WaitCase given, Func<int> number)
    {
        var beat = given.Beat;
        if (given.Rule() is not { } rule || (open is not null && open.Mechanism != rule && !IsNowExplained(open.Mechanism, rule)))
        {
            return Close(beat.At, given.State.Goal > stood);
        }

        open ??= Begin(rule, given) with { Number = number() };
        longestMs = Math.Max(longestMs, given.WaitedMs);
        var sentence = WaitSentence.Of(rule, given, longestMs);
        // A max that is known was known before the pool grew.
        whereGrown = given.State.Settings.Max is null ? WaitSentence.Of(rule, given, longestMs, hasGrown: true) : sentence;
        open = open with
        {
            End = beat.At,
            Cpu = beat.Cpu,
            Backlog = beat.Backlog,
            GoalBefore = given.State.Goal,
            GoalAfter = given.State.Goal,
            Mechanism = rule,
            Because = given.State.Goal > stood ? whereGrown : sentence,
        };
        // What stands for long where it has grown to may be at its max then.
        stood = Math.Max(stood ?? 0, given.State.Goal ?? 0);
        return open;
    }

    // The same wait: ticks that went by in it show that max is reached, which was not visible before.
    static bool IsNowExplained(Mechanism before, Mechanism now) => (before, now) == (Mechanism.G3Silent, Mechanism.G8Ceiling);

    Gap Begin(Mechanism rule, WaitCase given)
    {
        (longestMs, stood) = (0, given.State.Goal);
        return new()
        {
            Number = 0,
            Start = given.Since,
            StartBasis = Basis.Inferred,
            End = given.Beat.At,
            EndBasis = Basis.Observed,
            Verdict = GapVerdict.Open,
            Mechanism = rule,
            Because = "",
        };
    }

    /// <summary>Ends the wait at a moment; null when none was open.</summary>
    /// <param name="at">The moment.</param>
    /// <param name="hasGrown">Whether a thread that was added ended it: then max was not reached.</param>
    public Gap? Close(EventTime at, bool hasGrown = false)
    {
        var closed = open is null ? null
            : open with { Verdict = Closed(open.Mechanism), End = at, Because = hasGrown ? whereGrown : open.Because };
        open = null;
        return closed;
    }

    // Wedged, the pool did not do what its rule says; while the process does not run, no rule can be asked.
    static GapVerdict Closed(Mechanism rule) => rule switch
    {
        Mechanism.G14Wedged => GapVerdict.Late,
        Mechanism.G12NotRunning => GapVerdict.NoData,
        _ => GapVerdict.Fits,
    };
}
