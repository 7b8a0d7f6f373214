namespace Tpwatch.LiveTests.Scenarios;

/// <summary>The tests that share the runs of the catalogues, which have the machine for themselves.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class ScenarioCollection : ICollectionFixture<ScenarioRuns>
{
    /// <summary>Names it.</summary>
    public const string Name = "scenarios";
}
