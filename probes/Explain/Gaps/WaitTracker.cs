using Tpwatch.Explain.Policies;
using Tpwatch.Timeline;

namespace Tpwatch.Explain.Gaps;

/// <summary>
/// Waits that have no adjustment event, found from heartbeats: silent starvation (G3), while completions keep the detector asleep, and the
/// ceiling (G8). One gap each, open while it lasts.
/// </summary>
sealed class WaitTracker
{
    /// <summary>A proven wait of a second, twice what the runtime's own detector asks for, is called starvation.</summary>
    public const double AlarmMs = 1000;

    /// <summary>
    /// While injections come at least so often they account for the wait: two proven seconds, since a single gap of the gate's rule may
    /// take three or four ticks.
    /// </summary>
    const double InjectionsExplainMs = 2 * AlarmMs;

    /// <summary>Items completed a second from which on the detector, which asks for more than 500 ms without a dequeue, hardly ever fires.</summary>
    public const double AsleepRate = 2;

    Gap? open;
    double longestMs;

    /// <summary>Takes a heartbeat; the last rise is the last injection of the gate.</summary>
    /// <returns>The gap to add or to replace, or null when nothing changed.</returns>
    public Gap? Take((BeatLog Beats, PoolState State, EventTime? LastRise) given, Func<int> number)
    {
        var beat = given.Beats.Last!;
        var waited = given.Beats.ProvenWaitMs();
        var rule = RuleOf(given.Beats, given.State, waited, given.LastRise);
        if (rule is null || (open is not null && open.Rule != rule))
        {
            return Close(beat.At);
        }

        open ??= Begin(rule.Value, beat.At, beat.At.PlusMs(-waited), given.LastRise) with { Number = number() };
        longestMs = Math.Max(longestMs, waited);
        open = Describe(open, beat, given.State);
        return open;
    }

    static GapRule? RuleOf(BeatLog beats, PoolState state, double waited, EventTime? lastRise)
    {
        var beat = beats.Last!;
        if (beat.Backlog is not > 0 || waited < AlarmMs)
        {
            return null;
        }

        // Existing workers above the goal are parked; only a goal at max keeps the rules from adding one.
        if (state.Settings.Max is { } max && beat.Workers >= max && (state.Goal ?? max) >= max)
        {
            return GapRule.G8Ceiling;
        }

        var quiet = lastRise is not { } at || beat.At.MsSince(at) > InjectionsExplainMs;
        return quiet && beat.Completed > 0 && beat.Cpu is null or < GateTiming.BusyCpu ? GapRule.G3Silent : null;
    }

    Gap Begin(GapRule rule, EventTime now, EventTime queued, EventTime? lastRise)
    {
        longestMs = 0;
        return new()
        {
            Number = 0,
            // What came before the last injection is that injection's own gap.
            Start = lastRise is { } rise && rise > queued ? rise : queued,
            StartBasis = Basis.Inferred,
            End = now,
            EndBasis = Basis.Observed,
            Verdict = GapVerdict.Open,
            Rule = rule,
            Because = "",
        };
    }

    Gap Describe(Gap gap, Heartbeat beat, PoolState state) => gap with
    {
        End = beat.At,
        Cpu = beat.Cpu,
        Backlog = beat.Backlog,
        GoalBefore = state.Goal,
        GoalAfter = state.Goal,
        Because = gap.Rule == GapRule.G8Ceiling ? Ceiling(beat, state) : Silent(beat, state),
    };

    string Silent(Heartbeat beat, PoolState state)
    {
        var rate = beat is { Completed: { } done, IntervalMs: > 0 and { } interval } ? done * 1000 / interval : 0;
        var wait = Format.Duration(longestMs);
        if (state.Settings.DetectorDisabled)
        {
            return $"Some item has waited at least {wait}, and the runtime's starvation detection is switched off: only compensation for task waits adds workers.";
        }

        var drain = rate > 0 ? $"; at {Format.Rate(rate)} {Format.Plural(beat.Backlog ?? 0, "waiting item")} will take {Format.Duration((beat.Backlog ?? 0) * 1000 / rate)}" : "";
        return rate >= AsleepRate
            ? $"Some item has waited at least {wait}, yet completions keep the runtime's detector asleep: it wants more than 500 ms without a dequeue{drain}."
            : $"Some item has waited at least {wait} and no worker is added: completions keep the runtime's detector asleep, or max is reached, which is not visible{drain}.";
    }

    string Ceiling(Heartbeat beat, PoolState state) =>
        $"Max is reached ({Format.Plural(state.Settings.Max ?? 0, "worker")}), the backlog is {Format.Plural(beat.Backlog ?? 0, "item")}, "
        + $"one of which has waited at least {Format.Duration(longestMs)}: no rule adds another worker.";

    /// <summary>Ends the wait at a moment; null when none was open.</summary>
    public Gap? Close(EventTime at)
    {
        var closed = open is null ? null : open with { Verdict = GapVerdict.Fits, End = at };
        open = null;
        return closed;
    }
}
