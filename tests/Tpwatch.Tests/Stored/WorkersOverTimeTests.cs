using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Stored;

/// <summary>What the pool's limits and times do to the number of workers, scenario by scenario.</summary>
public sealed class WorkersOverTimeTests
{
    /// <summary>The gate injects every second or two while nothing ends; more than twice that is silence.</summary>
    const double SilentMs = 5000;

    [Theory]
    [InlineData("capped-blocking-min-10", 10)]
    [InlineData("twenty-threads", 20)]
    [InlineData("ten-times-network-call-min-10", 10)]
    [InlineData("async-items", 1)]
    [InlineData("one-processor", null)]
    public async Task Min_and_max_alike_are_the_number_of_workers(string key, int? workers)
    {
        var run = await StoredRuns.OfAsync(key);
        Assert.Equal(workers ?? run.Truth.Appearances().Length, run.Report.MaxWorkers);
        Assert.InRange(run.Truth.Appearances().Length, 1, run.Report.MaxWorkers!.Value);
        Assert.Equal(run.Truth.Header.Processors, run.Report.Timeline.Target.Processors.Value);
    }

    [Theory]
    [InlineData("ceiling")]
    [InlineData("ceiling.net9")]
    [InlineData("ceiling.net8")]
    public async Task At_the_ceiling_no_worker_comes_any_more_and_the_rest_of_the_wait_is_charged_to_it(string key)
    {
        var run = await StoredRuns.OfAsync(key);
        var max = run.Truth.Header.MaxWorkers;
        Assert.Equal(new(max, SettingSource.Environment), run.Report.Timeline.Target.MaxWorkers);
        Assert.Equal((max, max), (run.Report.MaxWorkers, run.Truth.Appearances().Length));
        var last = run.Report.InjectionDelays.Last(g => g.Reason == AdjustmentReason.Starvation);
        Assert.Equal(max, last.TargetThreadsAfter);
        var ceiling = Assert.Single(run.Report.InjectionDelays, g => g.Mechanism == Mechanism.G8Ceiling);
        Assert.True(ceiling.End > last.End && run.Report.IsNow, ceiling.Because);
    }

    [Theory]
    [InlineData("idle-timeout")]
    [InlineData("idle-timeout.net9")]
    [InlineData("idle-timeout.net8")]
    public async Task Idle_workers_end_and_are_created_again(string key)
    {
        var run = await StoredRuns.OfAsync(key);
        Assert.True(run.Report.Adjustments[AdjustmentReason.ThreadTimedOut] > 0);
        var bursts = run.Truth.Items.Chunk(run.Truth.Items.Length / 2).ToArray();
        var (first, second) = (Workers(bursts[0]), Workers(bursts[1]));
        Assert.Empty(first.Intersect(second));
        // Between the bursts the lane goes down by the first's workers, and up again by the second's.
        var over = ObservedRun.At(bursts[0].Max(i => i.Ended!.Value));
        var again = ObservedRun.At(bursts[1][0].Enqueued);
        Assert.InRange(Lowest(run, over, again), 0, first.Count / 2);
        Assert.True(Highest(run, again, run.Report.Timeline.Now) >= second.Count);
        // The second burst waits for workers as the first did.
        Assert.Contains(run.Report.InjectionDelays, g => g.Reason == AdjustmentReason.Starvation && g.End > again);
    }

    [Fact]
    public async Task A_burst_that_has_silenced_its_own_growth_has_not_recovered()
    {
        var run = await StoredRuns.OfAsync("pool-burst.long");
        var lanes = new TrueLanes(run.Truth);
        var end = ObservedRun.At(run.Truth.End.At);
        Assert.True(lanes.WaitingAt(end) > 0);
        Assert.True(run.Report.IsNow, run.Report.Headline);
        // From about 17 workers on an item ends every 500 ms; whether that is often enough is the machine's, so the record decides.
        EventTime[] injections = [.. run.Report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation)
            .Select(g => g.End), end];
        var silent = injections.Zip(injections.Skip(1)).Where(s => s.Second.MsSince(s.First) > SilentMs).ToArray();
        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{injections.Length - 1} injections, {silent.Length} stretches without for more than {SilentMs} ms");
        Assert.All(silent, s => Assert.Contains(
            run.Report.InjectionDelays, g =>
                g.Mechanism == Mechanism.G3Undetected && g.Start < s.Second && g.End > s.First.PlusMs(SilentMs / 2)));
        // All that stand in the queue at the end have waited, whatever the reason, and the time of it is not left out.
        var waited = run.Report.Episodes.Sum(e => e.Span.Ms);
        Assert.InRange(waited, end.MsSince(injections[0]) * 0.9, run.Report.Timeline.Now.MsSince(run.Report.Timeline.Start));
    }

    [Theory]
    [InlineData("deadlock")]
    [InlineData("deadlock-wait-task")]
    public async Task In_a_deadlock_each_worker_that_is_added_joins_the_wait_until_max(string key)
    {
        var run = await StoredRuns.OfAsync(key);
        Assert.Equal(0, run.Truth.End.Completed);
        Assert.Equal(run.Truth.Header.MaxWorkers, run.Truth.Appearances().Length);
        Assert.Equal(run.Truth.Header.MaxWorkers, run.Report.InjectionDelays.Max(g => g.TargetThreadsAfter));
        Assert.All(run.Report.Timeline.CounterSamples.Skip(3), h => Assert.Equal(0, h.Completed));
        Assert.True(run.Report.IsNow);
    }

    [Fact]
    public async Task A_detector_that_is_switched_off_is_shown_among_the_settings_and_the_wait_is_found_all_the_same()
    {
        var run = await StoredRuns.OfAsync("detector-disabled");
        Assert.Contains(
            new("DOTNET_ThreadPool_DisableStarvationDetection", "1", SettingSource.Environment), run.Report.Timeline.Target.Settings);
        Assert.NotEmpty(run.Report.Episodes);
        Assert.True(run.Report.IsNow && run.Report.MaxQueueLength > 0);
    }

    [Fact]
    public async Task Moves_of_hill_climbing_are_shown_each_and_are_no_waits()
    {
        var run = await StoredRuns.OfAsync("oscillation");
        var moves = run.Report.InjectionDelays.Where(g => g.Mechanism == Mechanism.G11Probing).ToArray();
        Assert.Equal(run.Report.Adjustments.Values.Sum(), moves.Length);
        Assert.All(moves, g => Assert.Equal((DelayVerdict.NotTimed, null), (g.Verdict, g.ObservedMs)));
        Assert.Empty(run.Report.Episodes);
    }

    static HashSet<int> Workers(TruthItem[] items) => [.. items.Select(i => i.OsThread!.Value)];

    static int Lowest(ObservedRun run, EventTime from, EventTime to) => Lane(run, from, to).Min(b => b.Min);

    static int Highest(ObservedRun run, EventTime from, EventTime to) => Lane(run, from, to).Max(b => b.Max);

    static IEnumerable<(int Min, int Max)> Lane(ObservedRun run, EventTime from, EventTime to)
    {
        var buckets = run.Report.Timeline.Buckets;
        for (var index = buckets.IndexOf(from); index <= buckets.IndexOf(to); index++)
        {
            if (buckets[index].WorkersMin >= 0)
            {
                yield return (buckets[index].WorkersMin, buckets[index].WorkersMax);
            }
        }
    }
}
