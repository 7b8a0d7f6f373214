using Tpwatch.LiveTests.Attach;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Deep;
using Tpwatch.LiveTests.Fleet;
using Tpwatch.LiveTests.Inside;
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
    /// <summary>Those that take twenty seconds and more, longest first.</summary>
    static readonly string[] Long =
    [
        nameof(HangTests), nameof(KindTests), nameof(PrometheusTests), PackagingCollection.Name, nameof(ServiceTests),
        nameof(ScreenBytesTests), nameof(HeartbeatSharingTests), nameof(AutoDepthTests), nameof(WatchScreenTests),
        nameof(ContainerTests), nameof(ProbesPackageTests), nameof(BlockerTests), nameof(ScreenSuspendTests),
        nameof(ScreenExitTests), nameof(HtmlReportTests), nameof(MuteTargetTests), nameof(OtlpTests), nameof(DotnetTraceTests),
        nameof(SeveralProcessesTests), nameof(RecordedDeepTests), nameof(ItemTimesTests), nameof(PortTests), nameof(NoScreenTests),
        nameof(RecordTests), nameof(LaunchedLimitsTests), nameof(EndOfSessionTests), nameof(OneCommandTests),
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
