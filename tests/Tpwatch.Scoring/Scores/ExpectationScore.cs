using Tpwatch.Scoring.Checks;
using Tpwatch.Scoring.Runs;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Scores;

/// <summary>What a run's report says against what its scenario is and what its record tells; each difference in one sentence.</summary>
sealed record ExpectationScore(ImmutableArray<string> Verdicts,
    ImmutableArray<string> Findings, ImmutableArray<string> Rules, ImmutableArray<string> Record)
{
    public IEnumerable<string> All => [.. Verdicts, .. Findings, .. Rules, .. Record];

    public static ExpectationScore Of(ObservedRun run, RunPlan plan)
    {
        var all = ExpectationCheck.Differences(run, plan);
        return new(
            [.. all.Where(IsVerdict)],
            [.. all.Where(IsFinding)],
            [.. all.Where(one => !IsVerdict(one) && !IsFinding(one))],
            TruthCheck.Differences(run, plan.Row));
    }

    static bool IsVerdict(string difference) => difference.StartsWith("verdict ", StringComparison.Ordinal);

    static bool IsFinding(string difference) => difference.Contains("finding ", StringComparison.Ordinal);
}
