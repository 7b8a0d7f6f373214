using Xunit.Sdk;
using Xunit.v3;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>Tests of scenarios in the order in which their runs are begun, so that none waits for one further back.</summary>
public sealed class InCatalogueOrder : ITestCaseOrderer
{
    /// <inheritdoc/>
    public IReadOnlyCollection<TTestCase> OrderTestCases<TTestCase>(IReadOnlyCollection<TTestCase> testCases)
        where TTestCase : notnull, ITestCase =>
        [.. testCases.OrderBy(c => Place(c.TestCaseDisplayName)).ThenBy(c => c.TestCaseDisplayName, StringComparer.Ordinal)];

    static int Place(string name)
    {
        var places = ScenarioEntry.All.Select((e, i) => (Named: name.Contains($"\"{e.Key}\"", StringComparison.Ordinal), i));
        return places.Where(p => p.Named).Select(p => p.i).DefaultIfEmpty(int.MaxValue).First();
    }
}
