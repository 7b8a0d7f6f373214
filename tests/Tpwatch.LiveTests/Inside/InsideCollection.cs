namespace Tpwatch.LiveTests.Inside;

/// <summary>Classes that ask about the same readings, each of which is made once.</summary>
[CollectionDefinition(Name)]
public sealed class InsideCollection : ICollectionFixture<InsideRuns>
{
    /// <summary>Names it.</summary>
    public const string Name = "inside";
}
