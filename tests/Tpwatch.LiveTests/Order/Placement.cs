using Tpwatch.LiveTests.Order;
using Xunit.v3;

[assembly: CollectionBehavior(typeof(Placement))]

namespace Tpwatch.LiveTests.Order;

/// <summary>
/// Classes run beside each other: most of their time they wait for a program. Those of the scenarios measure times to the millisecond and have an order of
/// their own, so they come after all others, one after another.
/// </summary>
public sealed class Placement(IXunitTestAssembly testAssembly) : TestCollectionFactoryBase(testAssembly)
{
    const string Scenarios = "Tpwatch.LiveTests.Scenarios";

    /// <inheritdoc/>
    public override string DisplayName => "a class beside the others, of the scenarios one after another";

    /// <inheritdoc/>
    protected override IXunitTestCollection GetDefaultTestCollection(Type testClass) =>
        new XunitTestCollection(TestAssembly, collectionDefinition: null, disableParallelization: testClass.Namespace == Scenarios, testClass.FullName!);
}
