using System.Text.Json;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Reports;
using Tpwatch.Scoring.Runs;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Checks;

/// <summary>
/// What a run showed against what its scenario is: the verdict that its record says, and the rules, adjustments
/// and findings that must and must not be there.
/// </summary>
static class ExpectationCheck
{
    /// <summary>What only the beginning shows; who attaches in the middle cannot see it.</summary>
    static readonly ImmutableArray<string> OfTheBeginning = ["G0", "G5", "TPW004", "TPW011"];

    /// <summary>What an added worker shows; who attaches when all that come have come cannot see it.</summary>
    static readonly ImmutableArray<string> OfAnAddedWorker = ["G1", "G4", "Starvation", "CooperativeBlocking", "TPW001", "TPW002"];

    /// <summary>That the rules of the runtime's version are not verified, which of .NET 11 they are not.</summary>
    const string NotVerified = "TPW017";

    /// <summary>Each difference in one sentence; none when all is as it must be.</summary>
    public static ImmutableArray<string> Differences(ObservedRun run, RunPlan plan)
    {
        var expected = plan.Row.Expectation;
        var right = TrueVerdict.Of(run.Truth, expected.Work, run.From);
        var verdict = Word(run.Report.Verdict);
        return
        [
            .. right.Contains(verdict) ? [] : new[] { $"verdict {verdict}, and the record says {string.Join(" or ", right)}" },
            // A neighbour that takes the processors may make another scenario of it; then only the record is asked.
            .. right.Any(expected.Verdicts.Contains) ? Shown(run, expected, plan.Runtime == TargetRuntime.Net11) : [],
            .. plan is { Loaded: false, LateMs: null, Label: null } && !right.Any(expected.Verdicts.Contains)
                ? [$"the record says {string.Join(" or ", right)}, the catalogue {string.Join(" or ", expected.Verdicts)}"]
                : Array.Empty<string>(),
            .. plan is { Loaded: false, LateMs: null, Label: null } && (plan.Row.HeadlineHolds || plan.IsFull)
                ? Headline(run.Truth, plan.Row)
                : [],
            .. right is ["healthy"] ? Alarms(run.Report) : [],
        ];
    }

    /// <summary>A verdict as the JSON report has it.</summary>
    public static string Word(Verdict verdict) => JsonNamingPolicy.CamelCase.ConvertName(verdict.ToString());

    static IEnumerable<string> Shown(ObservedRun run, ScenarioExpectation expected, bool isNew)
    {
        var report = run.Report;
        // A rule that only bears on a wait was seen, as was one whose moment a busy machine made late, or whose new thread it made late;
        // one that must not be there explains none.
        var bearing = Codes(report.InjectionDelays.SelectMany(g => new[]
        {
            g.Mechanism, g.Also ?? Mechanism.None,
            g.Mechanism is Mechanism.G12NotRunning or Mechanism.G13SlowThread ? MadeLate(g) : Mechanism.None,
        }));
        var reasons = report.Adjustments.Keys.Select(r => r.ToString()).ToHashSet();
        var findings = report.Findings.Select(f => f.Id).ToHashSet();
        return
        [
            .. Compare("gap by", bearing, Seen(expected.MustRules, run), []),
            .. Compare("gap by", Codes(report.InjectionDelays.Select(g => g.Mechanism)), [], expected.MustNotRules),
            .. Compare("adjustment for", reasons, Seen(expected.MustReasons, run), expected.MustNotReasons),
            .. Compare("finding", findings, [.. Seen(expected.MustFindings, run), .. isNew ? [NotVerified] : Array.Empty<string>()],
                expected.MustNotFindings.Where(id => id != NotVerified || !isNew)),
        ];
    }

    static IEnumerable<string> Seen(ImmutableArray<string> must, ObservedRun run) => !run.IsLate ? must
        : run.HasNewWorker ? must.Except(OfTheBeginning)
        : must.Except(OfTheBeginning).Except(OfAnAddedWorker);

    /// <summary>What sums up the run; a time that is too long is less by what the machine took of it.</summary>
    static IEnumerable<string> Headline(Tpwatch.Fixtures.Truth.RunTruth truth, ScenarioRow row)
    {
        var (number, expected) = (row.Scenario.Summarise(truth).Headline, row.Expectation.Headline);
        var end = ObservedRun.At(truth.End.At);
        var stolen = expected.Unit == "ms" && number > expected.AtMost && truth.Items.Length > 0
            ? TrueStandstill.MsWithin(truth, ObservedRun.At(truth.Items[0].Enqueued), end)
            : 0;
        if (number is { } value && (value < expected.AtLeast || value - stolen > expected.AtMost))
        {
            yield return $"{expected.Name} is {value} {expected.Unit}, not {expected.AtLeast} to {expected.AtMost}";
        }
    }

    /// <summary>What is healthy gives nothing above a note.</summary>
    static IEnumerable<string> Alarms(PoolReport report) =>
        report.Findings.Where(f => f.Severity > Severity.Note).Select(f => $"a false alarm, finding {f.Id} is {f.Severity}: {f.Headline}");

    static Mechanism MadeLate(InjectionDelay delay) => delay.Reason switch
    {
        null when !delay.Windows.IsEmpty => Mechanism.G0Ramp,
        AdjustmentReason.Starvation => Mechanism.G1GateTick,
        AdjustmentReason.CooperativeBlocking => Mechanism.G4CooperativeStep,
        _ => Mechanism.None,
    };

    static HashSet<string> Codes(IEnumerable<Mechanism> rules) => [.. rules.Where(r => r != Mechanism.None).Select(r => $"G{(int)r}")];

    static IEnumerable<string> Compare(string what, HashSet<string> seen, IEnumerable<string> must, IEnumerable<string> mustNot) =>
    [
        .. must.Where(m => !seen.Contains(m)).Select(m => $"no {what} {m}"),
        .. mustNot.Where(seen.Contains).Select(m => $"a {what} {m}"),
    ];
}
