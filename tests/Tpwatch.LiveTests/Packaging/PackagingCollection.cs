namespace Tpwatch.LiveTests.Packaging;

/// <summary>The tests that share what is packed and installed.</summary>
[CollectionDefinition(Name)]
public sealed class PackagingCollection : ICollectionFixture<PackedTool>
{
    /// <summary>Names it.</summary>
    public const string Name = "packaging";
}
