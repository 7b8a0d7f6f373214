using Tpwatch.LiveTests.Attach;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Deep;
using Tpwatch.LiveTests.Fleet;
using Tpwatch.LiveTests.Hostile;
using Tpwatch.LiveTests.Inside;
using Tpwatch.LiveTests.Launching;
using Tpwatch.LiveTests.Listeners;
using Tpwatch.LiveTests.Order;
using Tpwatch.LiveTests.Packaging;
using Tpwatch.LiveTests.Recorders;
using Tpwatch.LiveTests.Services;
using Tpwatch.LiveTests.Terminal;
using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(LongestFirst))]

namespace Tpwatch.LiveTests.Order;

/// <summary>
/// Classes that take long begin first, so that none is left to run by itself when the others are over. The runner begins with the first of
/// the list, one for each thread that waits already, and goes on with the last.
/// </summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    /// <summary>Those that take twenty seconds and more, longest first.</summary>
    static readonly string[] Long =
    [
        nameof(PrometheusTests), nameof(ServiceTests), nameof(HangTests), nameof(AutoDepthTests), nameof(HeartbeatSharingTests),
        nameof(ScreenBytesTests), nameof(OtlpTests), nameof(ScreenSuspendTests), PackagingCollection.Name, nameof(InsideHarmlessTests),
        nameof(McpTests), nameof(ContainerTests), nameof(HostileRequestTests), nameof(WatchScreenTests), nameof(ItemTimesTests),
        nameof(SeveralProcessesTests), nameof(BlockerTests), nameof(RecordTests), nameof(RecordedDeepTests), nameof(MuteTargetTests),
        nameof(ScreenExitTests), nameof(TallyTests), nameof(HostileSuiteTests), nameof(PortTests), nameof(OneCommandTests),
        nameof(LaunchedLimitsTests), nameof(SlowStartTests), nameof(DiagnosticPortClientTests), nameof(CommandTests),
        nameof(EndOfSessionTests), nameof(NoScreenTests), nameof(ScreenColourTests), nameof(DotnetTraceTests),
    ];

    /// <summary>So many began from the front, of four threads, where the order was watched.</summary>
    const int First = 3;

    /// <inheritdoc/>
    public IReadOnlyCollection<TTestCollection> OrderTestCollections<TTestCollection>(IReadOnlyCollection<TTestCollection> testCollections)
        where TTestCollection : ITestCollection
    {
        TTestCollection[] all = [.. testCollections.OrderBy(c => Place(c.TestCollectionDisplayName))
            .ThenBy(c => c.TestCollectionDisplayName, StringComparer.Ordinal)];
        return [.. all.Take(First), .. all.Skip(First).Reverse()];
    }

    static int Place(string name) =>
        Array.FindIndex(Long, l => name == l || name.EndsWith("." + l, StringComparison.Ordinal)) is >= 0 and var place
            ? place
            : Long.Length;
}
