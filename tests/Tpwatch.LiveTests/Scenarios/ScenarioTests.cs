using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Web.Scenarios;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>Every scenario of the catalogues: what was seen is what its expectation says, and what its own record says.</summary>
[Collection(ScenarioCollection.Name)]
[TestCaseOrderer(typeof(InCatalogueOrder))]
public sealed class ScenarioTests(ScenarioRuns runs)
{
    /// <summary>The names of all entries.</summary>
    public static TheoryData<string> Entries => [.. ScenarioEntry.All.Select(e => e.Key)];

    [Theory(Timeout = 400_000)]
    [MemberData(nameof(Entries))]
    public async Task Is_seen_as_expected_and_as_it_was(string key)
    {
        var entry = ScenarioEntry.Of(key);
        var run = await runs.OfAsync(entry, TestContext.Current.CancellationToken);
        string[] differences =
        [
            .. ExpectationCheck.Differences(run.Report, entry.Expectation),
            .. TruthCheck.Differences(run, entry.Awaits),
        ];
        Assert.True(differences.Length == 0, string.Join('\n', [.. differences, run.Report.Headline, run.Describe(run.Report.Gaps)]));
    }

    [Fact(Timeout = 10_000)]
    public Task Each_scenario_of_both_catalogues_is_run()
    {
        Assert.Equal(
            ((IEnumerable<IScenario>)[.. ScenarioCatalogue.All, .. WebCatalogue.All]).Select(s => s.Name).Order(),
            ScenarioEntry.All.Select(e => e.Scenario.Name).Distinct().Order());
        return Task.CompletedTask;
    }
}
