namespace Tpwatch.LiveTests.Order;

/// <summary>
/// Tests that ask every process of the machine, or that measure how quiet it is: one after another,
/// when those that run beside each other are over.
/// </summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class AloneCollection
{
    /// <summary>Names it.</summary>
    public const string Name = "alone";
}
