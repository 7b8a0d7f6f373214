namespace Tpwatch.LiveTests.Scenarios;

/// <summary>
/// Runs that are made at once, when all other tests are over: they sleep, and what is asked of them are moments to the millisecond.
/// </summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class ScenarioCollection : ICollectionFixture<LiveRows>, ICollectionFixture<GateTickRuns>
{
    /// <summary>Names it.</summary>
    public const string Name = "scenarios";
}
