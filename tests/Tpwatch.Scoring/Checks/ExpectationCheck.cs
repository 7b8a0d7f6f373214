using System.Text.Json;
using Tpwatch.Events.Facts;
using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;
using Tpwatch.Fixtures.Scenarios;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>What a run showed against what its scenario says must be seen. Pure, and without a test framework, so that others can ask too.</summary>
static class ExpectationCheck
{
    /// <summary>
    /// Each difference in one sentence; none when all is as expected. The headline number holds for a run with the scenario's defaults only:
    /// null leaves it out.
    /// </summary>
    public static IEnumerable<string> Differences(PoolReport report, ScenarioExpectation expected, double? headline = null)
    {
        var verdict = JsonNamingPolicy.CamelCase.ConvertName(report.Verdict.ToString());
        var rules = Codes(report.Gaps.Select(g => g.Rule));
        // A rule that only bears on a wait was seen, as was one whose moment a busy machine made late; one that must not be there explains none.
        var bearing = Codes(report.Gaps.SelectMany(g => new[] { g.Rule, g.Also ?? GapRule.None, g.Rule == GapRule.G12NotRunning ? MadeLate(g) : GapRule.None }));
        var reasons = report.Adjustments.Keys.Select(r => r.ToString()).ToHashSet();
        var findings = report.Findings.Select(f => f.Id).ToHashSet();
        return
        [
            .. expected.Verdicts.Contains(verdict) ? [] : new[] { $"verdict {verdict}, not {string.Join(" or ", expected.Verdicts)}" },
            .. Compare("gap by", bearing, expected.MustRules, []),
            .. Compare("gap by", rules, [], expected.MustNotRules),
            .. Compare("adjustment for", reasons, expected.MustReasons, expected.MustNotReasons),
            .. Compare("finding", findings, expected.MustFindings, expected.MustNotFindings),
            .. headline is { } number && (number < expected.Headline.AtLeast || number > expected.Headline.AtMost)
                ? [FormattableString.Invariant($"{expected.Headline.Name} is {number} {expected.Headline.Unit}, not {expected.Headline.AtLeast} to {expected.Headline.AtMost}")]
                : Array.Empty<string>(),
        ];
    }

    static GapRule MadeLate(Gap gap) => gap.Reason switch
    {
        null when !gap.Windows.IsEmpty => GapRule.G0Ramp,
        AdjustmentReason.Starvation => GapRule.G1GateTick,
        AdjustmentReason.CooperativeBlocking => GapRule.G4CooperativeStep,
        _ => GapRule.None,
    };

    static HashSet<string> Codes(IEnumerable<GapRule> rules) => [.. rules.Where(r => r != GapRule.None).Select(r => $"G{(int)r}")];

    static IEnumerable<string> Compare(string what, HashSet<string> seen, IEnumerable<string> must, IEnumerable<string> mustNot) =>
    [
        .. must.Where(m => !seen.Contains(m)).Select(m => $"no {what} {m}"),
        .. mustNot.Where(seen.Contains).Select(m => $"a {what} {m}"),
    ];
}
