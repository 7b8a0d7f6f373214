namespace Tpwatch.LiveTests.Inside;

/// <summary>
/// Classes that ask about the same readings, each of which is made once; after those that run beside each other, whose programs they would
/// crowd out: programs that hold a thousand threads start one after the other.
/// </summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class InsideCollection : ICollectionFixture<InsideRuns>
{
    /// <summary>Names it.</summary>
    public const string Name = "inside";
}
