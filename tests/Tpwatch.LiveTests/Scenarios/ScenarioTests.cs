using Tpwatch.Explain;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Web.Scenarios;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>Every scenario of the catalogues: what was seen is what its expectation says, and what its own record says.</summary>
[Collection(ScenarioCollection.Name)]
[TestCaseOrderer(typeof(InCatalogueOrder))]
public sealed class ScenarioTests(ScenarioRuns runs)
{
    /// <summary>
    /// A standstill that may turn one scenario into another: a trickle whose items end every 300 ms needs 200 more to wake the detector.
    /// The run says nothing then and is made again, once.
    /// </summary>
    internal const double VoidMs = 100;

    /// <summary>The names of all entries.</summary>
    public static TheoryData<string> Entries => [.. ScenarioEntry.All.Select(e => e.Key)];

    [Theory(Timeout = ScenarioRuns.AllMs)]
    [MemberData(nameof(Entries))]
    public async Task Is_seen_as_expected_and_as_it_was(string key)
    {
        var entry = ScenarioEntry.Of(key);
        var run = await runs.OfAsync(key);
        if (Differences(entry, run).Length > 0 && run.LongestHiccupMs() > VoidMs)
        {
            TestContext.Current.TestOutputHelper?.WriteLine($"void: the machine did not let it run for {run.LongestHiccupMs()} ms; made again");
            run = await runs.AgainAsync(entry, TestContext.Current.CancellationToken);
        }

        var differences = Differences(entry, run);
        Assert.True(differences.Length == 0, string.Join('\n', [.. differences, run.Report.Headline, run.Describe(run.Report.Gaps)]));
    }

    static string[] Differences(ScenarioEntry entry, ObservedRun run) =>
    [
        .. ExpectationCheck.Differences(run.Report, entry.Expectation, entry.HeadlineHolds ? Headline(entry, run) : null),
        .. TruthCheck.Differences(run, entry),
        .. entry.Expectation.Verdicts is ["healthy"] ? Alarms(run) : [],
    ];

    /// <summary>What sums up the run; a time that is too long is less by what the machine took of it.</summary>
    static double? Headline(ScenarioEntry entry, ObservedRun run)
    {
        var number = entry.Scenario.Summarise(run.Truth).Headline;
        var expected = entry.Expectation.Headline;
        return number > expected.AtMost && expected.Unit == "ms"
            ? Math.Max(expected.AtLeast, number.Value - run.Truth.Hiccups.Sum(h => h.OvershootMs))
            : number;
    }

    /// <summary>What is healthy gives nothing above a note.</summary>
    static IEnumerable<string> Alarms(ObservedRun run) =>
        run.Report.Findings.Where(f => f.Severity > Severity.Note).Select(f => $"{f.Id} is {f.Severity}: {f.Headline}");

    [Fact(Timeout = 10_000)]
    public Task Each_scenario_of_both_catalogues_is_run()
    {
        Assert.Equal(
            ((IEnumerable<IScenario>)[.. ScenarioCatalogue.All, .. WebCatalogue.All]).Select(s => s.Name).Order(),
            ScenarioEntry.All.Select(e => e.Scenario.Name).Distinct().Order());
        return Task.CompletedTask;
    }
}
