using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Stacks.Holders;

public sealed class BlockerAnalysisTests
{
    [Fact]
    public void Workers_are_grouped_by_the_first_frame_of_the_users_own_below_the_wait()
    {
        var report = Report(Sampled.Burst(
            1000, Sampled.At(1, Sampled.Semaphore), Sampled.At(2, Sampled.Semaphore), Sampled.At(3, Sampled.Sleep),
            Sampled.At(4, [], "Shop!Shop.Prices.Sum()", running: true), Sampled.Idle(5)));
        Assert.Equal(["Shop.Orders.Load", "Shop.Prices.Sum"], report.Blockers!.Value.Select(b => b.Frame));
        var first = report.Blockers.Value[0];
        Assert.Equal((0.75, 3, BlockKind.Wait, "SemaphoreSlim.Wait"), (first.Share, first.Threads, first.Kind, first.Call));
        Assert.Equal(BlockKind.Cpu, report.Blockers.Value[1].Kind);
        Assert.Equal("System.Threading.Monitor.Wait", first.Stack[0]);
        Assert.Equal((4, 120L), (report.Bursts!.Taken[0].Workers, report.Bursts.Samples));
    }

    public static TheoryData<string[], BlockKind> Kinds => new()
    {
        { Sampled.Task, BlockKind.Task }, { Sampled.WaitAll, BlockKind.Wait },
        { Sampled.Semaphore, BlockKind.Wait }, { Sampled.Lock, BlockKind.Lock },
        { Sampled.Sleep, BlockKind.Sleep }, { Sampled.Receive, BlockKind.Io }, { [], BlockKind.Unseen },
        { [.. Sampled.Semaphore, .. Sampled.Receive], BlockKind.Io },
    };

    [Theory]
    [MemberData(nameof(Kinds))]
    public void What_it_waits_for_is_read_off_the_runtimes_frames(string[] wait, BlockKind kind) =>
        Assert.Equal(kind, Report(Sampled.Burst(0, Sampled.At(1, wait))).Blockers!.Value[0].Kind);

    [Fact]
    public void A_wait_for_a_lock_without_a_frame_of_its_own_is_known_by_its_event_and_its_owner_by_his_stack()
    {
        var burst = Sampled.Burst(0, Sampled.At(1, []), Sampled.At(2, []), Sampled.At(3, Sampled.Sleep)) with
        {
            Locks = [new LockAwaited(SampleReports.At(-50), 1, 77, 3), new LockAwaited(SampleReports.At(-40), 2, 77, 3)],
        };
        var first = Report(burst).Blockers!.Value[0];
        Assert.Equal((BlockKind.Lock, "lock"), (first.Kind, first.Call));
        Assert.Equal("thread 3, a worker thread, in Orders.Load > Thread.Sleep", first.Owner);
    }

    [Fact]
    public void Whether_the_owner_is_a_worker_is_told_where_it_is_known()
    {
        Assert.Equal("thread 3, not a worker thread, in Orders.Load > Thread.Sleep", Owner(Sampled.Started(3, Sampled.Sleep)));
        var cut = Sampled.Started(3, Sampled.Sleep);
        Assert.Equal("thread 3 in Orders.Load > Thread.Sleep", Owner(cut with { Frames = cut.Frames[..^1] }));

        static string? Owner(SampledStack owner) => Report(Sampled.Burst(0, Sampled.At(1, []), Sampled.At(2, []), owner) with
        {
            Locks = [new LockAwaited(SampleReports.At(-50), 1, 77, 3), new LockAwaited(SampleReports.At(-40), 2, 77, 3)],
        }).Blockers!.Value[0].Owner;
    }

    [Theory]
    [InlineData("8.0.11", "Orders.Load > a lock or native code")]
    [InlineData("9.0.4", "Orders.Load > a lock or native code")]
    [InlineData("10.0.1", "Orders.Load")]
    public void Where_a_lock_has_no_frame_and_no_event_was_seen_it_is_not_taken_for_native_code(string runtime, string chain)
    {
        var starved = SampleReports.Starved();
        var target = starved.Timeline.Target with { RuntimeVersion = runtime };
        var report = Deepened.WithStacks(
            starved with { Timeline = starved.Timeline with { Target = target } }, new([Sampled.Burst(0, Sampled.At(1, []))], []));
        Assert.Equal(chain, report.Blockers!.Value[0].Chain);
    }

    [Fact]
    public void What_was_read_of_a_wait_is_told_in_the_shares_of_its_place_as_well()
    {
        var burst = Sampled.Burst(0, Sampled.At(1, Sampled.Task), Sampled.At(2, Sampled.Task), Sampled.At(3, Sampled.Lock));
        var reading = new InsideReading
        {
            At = SampleReports.At(100),
            Waits = [new("Orders.Load", "Task.Wait", 2) { Workers = 2, Chain = ["ChannelWriter"], End = WaitEnd.Channel }],
        };
        var first = Deepened.WithStacks(SampleReports.Starved(), new StacksSeen([burst], []).WithGlance(reading)).Blockers!.Value[0];
        Assert.Equal(Resource.ChannelSpace, first.Resource);
        Assert.Equal([Resource.ChannelSpace, Resource.Lock], first.Waits.Select(w => w.Resource));
    }

    [Fact]
    public void Threads_are_counted_a_burst_each()
    {
        var report = Report(Sampled.Burst(1000, Sampled.At(1, Sampled.Lock)),
            Sampled.Burst(6000, Sampled.At(1, Sampled.Lock), Sampled.At(2, Sampled.Lock)));
        Assert.Equal(
            [(SampleReports.At(1000), 1), (SampleReports.At(6000), 2)], report.Blockers!.Value[0].OverTime.Select(p => (p.At, p.Threads)));
        Assert.Equal(2, report.Blockers.Value[0].Threads);
    }

    [Fact]
    public void Waits_that_only_queued_items_can_end_are_told_from_waits_for_something_outside()
    {
        Assert.Equal(
            WaitsFor.QueuedItems, Report(Sampled.Burst(
                0, Sampled.At(1, Sampled.Task), Sampled.At(2, Sampled.Task), Sampled.Own(9, Sampled.Semaphore))).Bursts!.WaitsFor);
        Assert.Equal(
            WaitsFor.Outside, Report(Sampled.Burst(0, Sampled.At(1, Sampled.Semaphore), Sampled.At(2, Sampled.Sleep))).Bursts!.WaitsFor);
        Assert.Equal(
            WaitsFor.Unknown, Report(Sampled.Burst(0, Sampled.At(1, Sampled.Task), Sampled.Own(9, Sampled.Receive))).Bursts!.WaitsFor);
        Assert.Equal(WaitsFor.Unknown, Report(Sampled.Burst(0, Sampled.Idle(1))).Bursts!.WaitsFor);
    }

    [Fact]
    public void A_thread_that_sleeps_and_was_caught_awake_once_is_about_to_end_nothing()
    {
        var asleep = Sampled.Own(9, Sampled.Sleep) with { Samples = 29 };
        var awake = Sampled.Own(9, []) with { Samples = 1, Running = true };
        Assert.Equal(WaitsFor.QueuedItems, Report(Sampled.Burst(0, Sampled.At(1, Sampled.Task), asleep, awake)).Bursts!.WaitsFor);
        Assert.Equal(
            WaitsFor.Unknown, Report(Sampled.Burst(0, Sampled.At(1, Sampled.Task), asleep, awake with { Samples = 30 })).Bursts!.WaitsFor);
    }

    [Fact]
    public void Items_that_end_meanwhile_show_that_something_outside_ends_the_waits()
    {
        var starved = SampleReports.Starved();
        var ending = starved with { Timeline = starved.Timeline with { CounterSamples = [new(SampleReports.At(500), 1000, 8, 5, 3, 0)] } };
        Assert.Equal(
            WaitsFor.Unknown, Deepened.WithStacks(ending, new([Sampled.Burst(0, Sampled.At(1, Sampled.Task))], [])).Bursts!.WaitsFor);
    }

    [Fact]
    public void Without_a_burst_there_are_no_blockers_and_a_failure_is_told()
    {
        var report = Deepened.WithStacks(
            SampleReports.Starved(), StacksSeen.None.With(new(null, "It could not be kept.")).With(new(null, "It could not be kept.")));
        Assert.Null(report.Blockers);
        Assert.Equal(["It could not be kept."], report.Bursts!.Remarks);
    }

    [Fact]
    public void A_recursion_and_hundreds_of_threads_are_no_trouble()
    {
        var deep = Enumerable.Repeat("Shop!Shop.Tree.Walk()", 400).ToArray();
        var report = Report(Sampled.Burst(0, [.. Enumerable.Range(1, 500).Select(n => Sampled.At(n, [.. Sampled.Lock, .. deep]))]));
        Assert.Equal(("Shop.Tree.Walk", 500), (report.Blockers!.Value[0].Frame, report.Blockers.Value[0].Threads));
    }

    static PoolReport Report(params BurstSamples[] bursts) => Deepened.WithStacks(SampleReports.Starved(), new([.. bursts], []));
}
