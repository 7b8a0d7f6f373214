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

    /// <summary>While injections come at least so often, they account for the wait.</summary>
    const double InjectionsExplainMs = 1100;

    Gap? open;
    double longestMs;
    long completed;

    /// <summary>Takes a heartbeat; <paramref name="lastInjection"/> is the last rise of the goal.</summary>
    /// <returns>The gap to add or to replace, or null when nothing changed.</returns>
    public Gap? Take(BeatLog beats, PoolState state, EventTime? lastInjection, Func<int> number)
    {
        var beat = beats.Last!;
        var waited = beats.ProvenWaitMs();
        var rule = RuleOf(beats, state, waited, lastInjection);
        if (rule is null || (open is not null && open.Rule != rule))
        {
            return Close(beat.At);
        }

        longestMs = Math.Max(longestMs, waited);
        completed += beat.Completed ?? 0;
        open = Describe(open ?? Begin(rule.Value, beats, waited, number), beat, state);
        return open;
    }

    static GapRule? RuleOf(BeatLog beats, PoolState state, double waited, EventTime? lastInjection)
    {
        var beat = beats.Last!;
        if (beat.Backlog is not > 0 || waited < AlarmMs)
        {
            return null;
        }

        if (state.Settings.Max is { } max && beat.Workers >= max)
        {
            return GapRule.G8Ceiling;
        }

        var quiet = lastInjection is not { } at || beat.At.MsSince(at) > InjectionsExplainMs;
        return quiet && beat.Completed > 0 && beat.Cpu is null or < GateTiming.BusyCpu ? GapRule.G3Silent : null;
    }

    Gap Begin(GapRule rule, BeatLog beats, double waited, Func<int> number)
    {
        (longestMs, completed) = (0, 0);
        return new()
        {
            Number = number(),
            Start = beats.Last!.At.PlusMs(-waited),
            StartBasis = Basis.Inferred,
            End = beats.Last.At,
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
        Because = gap.Rule == GapRule.G8Ceiling ? Ceiling(beat, state) : Silent(beat),
    };

    string Silent(Heartbeat beat)
    {
        var rate = beat is { Completed: { } done, IntervalMs: > 0 and { } interval } ? done * 1000 / interval : 0;
        var wait = Format.Duration(longestMs);
        var drain = rate > 0 ? $"; at {Format.Rate(rate)} the {Format.Count(beat.Backlog ?? 0)} items that wait take {Format.Duration((beat.Backlog ?? 0) * 1000 / rate)}" : "";
        return $"Some item has waited at least {wait}, yet completions keep the runtime's detector asleep: it wants more than 500 ms without a dequeue{drain}.";
    }

    string Ceiling(Heartbeat beat, PoolState state) =>
        $"All {state.Settings.Max} workers that max allows exist and {Format.Count(beat.Backlog ?? 0)} items wait, "
        + $"one of them for at least {Format.Duration(longestMs)}: no rule adds another worker.";

    Gap? Close(EventTime at)
    {
        var closed = open is null ? null : open with { Verdict = GapVerdict.Fits, End = at };
        open = null;
        return closed;
    }
}
