using System.Collections.Immutable;
using Tpwatch.Explain;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.LiveTests.Scenarios;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>What a run's report says against what its scenario must show; each difference in one sentence.</summary>
internal sealed record ExpectationScore(ImmutableArray<string> Verdicts, ImmutableArray<string> Findings, ImmutableArray<string> Others)
{
    public static ExpectationScore Of(PoolReport report, ScenarioExpectation expected)
    {
        var all = ExpectationCheck.Differences(report, expected).ToArray();
        return new(
            [.. all.Where(IsVerdict)],
            [.. all.Where(IsFinding)],
            [.. all.Where(one => !IsVerdict(one) && !IsFinding(one))]);
    }

    static bool IsVerdict(string difference) => difference.StartsWith("verdict ", StringComparison.Ordinal);

    static bool IsFinding(string difference) => difference.Contains("finding ", StringComparison.Ordinal);
}
