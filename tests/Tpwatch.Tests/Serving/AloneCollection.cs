namespace Tpwatch.Tests.Serving;

/// <summary>Tests that measure the memory of the whole process: no other test runs beside them.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class AloneCollection
{
    public const string Name = "alone";
}
