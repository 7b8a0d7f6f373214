using Tpwatch.LiveTests.Attach;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Deep;
using Tpwatch.LiveTests.Launching;
using Tpwatch.LiveTests.Listeners;
using Tpwatch.LiveTests.Order;
using Tpwatch.LiveTests.Packaging;
using Tpwatch.LiveTests.Pages;
using Tpwatch.LiveTests.Recorders;
using Tpwatch.LiveTests.Services;
using Tpwatch.LiveTests.Terminal;
using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(LongestFirst))]

namespace Tpwatch.LiveTests.Order;

/// <summary>
/// Classes that take long begin first, so that none is left to run by itself when the others are over. The runner queues them at a thread
/// of the pool, which takes the last first, and from which others take the first; so the long ones stand at both ends.
/// </summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    /// <summary>Those that take ten seconds and more. Of the two that build, the second begins when the first is nearly over.</summary>
    static readonly string[] Long =
    [
        PackagingCollection.Name, nameof(ServiceTests), nameof(BlockerTests),
        nameof(HeartbeatSharingTests), nameof(ItemTimesTests), nameof(WatchScreenTests),
        nameof(ContainerTests), nameof(CommandTests), nameof(HtmlReportTests), nameof(LiveSessionTests),
        nameof(LaunchedLimitsTests), nameof(EndOfSessionTests), nameof(ProbesPackageTests),
        nameof(OneCommandTests), nameof(DotnetTraceTests), nameof(WrongArgumentsTests), nameof(ScreenSuspendTests),
        nameof(RecordedDeepTests), nameof(MuteTargetTests),
    ];

    /// <inheritdoc/>
    public IReadOnlyCollection<TTestCollection> OrderTestCollections<TTestCollection>(IReadOnlyCollection<TTestCollection> testCollections)
        where TTestCollection : ITestCollection
    {
        TTestCollection[] all = [.. testCollections.OrderBy(c => Place(c.TestCollectionDisplayName))
            .ThenBy(c => c.TestCollectionDisplayName, StringComparer.Ordinal)];
        return [.. all.Where((_, place) => place % 2 == 0), .. all.Where((_, place) => place % 2 == 1).Reverse()];
    }

    static int Place(string name) =>
        Array.FindIndex(Long, l => name == l || name.EndsWith("." + l, StringComparison.Ordinal)) is >= 0 and var place
            ? place
            : Long.Length;
}
