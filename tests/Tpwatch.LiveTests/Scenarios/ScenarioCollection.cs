namespace Tpwatch.LiveTests.Scenarios;

/// <summary>The tests that share the runs of the catalogues.</summary>
[CollectionDefinition(Name)]
public sealed class ScenarioCollection : ICollectionFixture<ScenarioRuns>
{
    /// <summary>Names it.</summary>
    public const string Name = "scenarios";
}
