using System.Diagnostics;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>From a case and the evidence to a gap with its mechanism, windows, verdict and sentence. A pure function of the two.</summary>
sealed class GapJudge(IInjectionPolicy policy)
{
    /// <summary>The gap of a case, without a number; <paramref name="evidence"/> is what heartbeats have told so far.</summary>
    public Gap Judge(GapCase given, BeatLog evidence) => given switch
    {
        StarvationCase starved => starved.TaskWaits.Charge(StarvationJudge.Judge(policy, starved, evidence), starved.Before.Settings),
        CooperativeCase step => CooperativeJudge.Judge(step, evidence),
        _ => throw new UnreachableException($"no judge for {given.GetType().Name}"),
    };
}
