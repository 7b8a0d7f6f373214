using System.Collections.Immutable;
using System.Diagnostics.Tracing;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.LiveTests.Listeners;

/// <summary>
/// Where somebody has the event counters on, they come into our session beside the meters: an item is counted once nevertheless.
/// </summary>
public sealed class CountersBesideMetersTests
{
    /// <summary>Items that end between the last heartbeat and the end.</summary>
    const int Tolerance = 8;

    static readonly PlannedProvider Counters = new(
        "System.Runtime", EventLevel.Informational, 1, ImmutableSortedDictionary<string, string>.Empty.Add("EventCounterIntervalSec", "1"));

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact(Timeout = 120_000)]
    public async Task Live_and_recorded_an_item_is_counted_once_as_the_program_counts_it()
    {
        using var folder = new TempFolder();
        var file = folder["run.nettrace"];
        var (live, truth) = await BesideCountersAsync(file);
        await using var replay = ThreadPoolWatch.Replay(file, new WatchOptions());
        await replay.Completion.WaitAsync(Cancel);

        Assert.InRange(Completed(live), truth - Tolerance, truth + Tolerance);
        Assert.Equal(Completed(live), Completed(replay.Report()));
        Assert.Equal(live.Timeline.CounterSamples.AsEnumerable(), replay.Report().Timeline.CounterSamples);
    }

    static async Task<(PoolReport Live, long Truth)> BesideCountersAsync(string recordTo)
    {
        await using var target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, Cancel, "trickle", "--processors", "8", "--seconds", "10");
        await using var other = await SecondListener.OpenAsync(target.Pid, _ => { }, Cancel, Counters);
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, new WatchOptions { RecordTo = recordTo }, Cancel);
        var run = await LiveRun.WholeAsync(target, watch, Cancel);
        return (run.Report, run.Truth.End.Completed);
    }

    static long Completed(PoolReport report) => report.Timeline.CounterSamples.Sum(b => b.Completed ?? 0);
}
