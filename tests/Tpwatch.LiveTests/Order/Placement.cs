using Tpwatch.LiveTests.Order;
using Xunit.v3;

[assembly: CollectionBehavior(typeof(Placement))]

namespace Tpwatch.LiveTests.Order;

/// <summary>
/// Classes run beside each other: most of their time they wait for a program. What measures times to the millisecond is in a collection
/// that comes after all others.
/// </summary>
public sealed class Placement(IXunitTestAssembly testAssembly) : TestCollectionFactoryBase(testAssembly)
{
    /// <inheritdoc/>
    public override string DisplayName => "a class beside the others";

    /// <inheritdoc/>
    protected override IXunitTestCollection GetDefaultTestCollection(Type testClass) =>
        new XunitTestCollection(TestAssembly, collectionDefinition: null, disableParallelization: false, testClass.FullName!);
}
