using Tpwatch.Controls;
using Tpwatch.Reports;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Frame;

/// <summary>What is said of stacks while they are asked for: told wherever the user looks meanwhile.</summary>
static class ProbeSayings
{
    /// <summary>The state with what came of the newest attempt, and whether stacks are worth offering.</summary>
    public static ViewState In(ViewState state, ProbeState? stacks, PoolReport? newest) => state with
    {
        Probing = stacks?.Says,
        Flash = stacks?.Says is { } says && says != state.Probing ? says : state.Flash,
        OffersStacks = stacks is { On: false, WhyNot: null }
            && newest is { IsNow: true, End: SessionEnd.StillOpen, Blockers: null } report && report.Verdict.IsStarvation(),
    };
}
