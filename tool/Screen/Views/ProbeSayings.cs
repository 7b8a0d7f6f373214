using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>What is said of stacks while they are asked for: told wherever the user looks meanwhile.</summary>
static class ProbeSayings
{
    /// <summary>Long enough to be read twice; later it would be taken for something that has just happened.</summary>
    static readonly TimeSpan NewsFor = TimeSpan.FromSeconds(15);

    /// <summary>The state with what came of the newest attempt, and whether stacks are worth offering.</summary>
    public static ViewState In(ViewState state, IProbeSwitch? probes, PoolReport? newest, TimeProvider time)
    {
        var (stacks, items) = (probes?.Of(DeepProbe.Stacks), probes?.Of(DeepProbe.Items));
        var may = stacks is { On: false, WhyNot: null };
        return Said(state, stacks?.Says, time) with
        {
            TakesStacks = stacks is { On: true, WhyNot: null },
            MayTakeStacks = may,
            MayMeasureItems = items is { On: false, WhyNot: null },
            OffersStacks = may && newest is { End: SessionEnd.StillOpen, Blockers: null } report
                && ((report.IsNow && report.Verdict.IsTrouble()) || report.Verdict == Verdict.Compensated
                    || (report.Verdict == Verdict.Undecided && HiddenBacklog.IsUnclear(report.Timeline, report.MayHang))),
        };
    }

    // What is said is news for a moment; the view of the stacks keeps it.
    static ViewState Said(ViewState state, string? says, TimeProvider time) =>
        says is not null && says != state.Probing ? state with { Probing = says, ProbingAt = time.GetTimestamp(), Flash = says }
        : says is not null && says == state.Flash && time.GetElapsedTime(state.ProbingAt) > NewsFor ? state with { Flash = null }
        : state with { Probing = says };
}
