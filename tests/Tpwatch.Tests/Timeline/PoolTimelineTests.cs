using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Timeline;

public sealed class PoolTimelineTests
{
    static readonly DateTime Utc = new(2026, 11, 21, 2, 29, 0, DateTimeKind.Utc);

    readonly PoolTimeline timeline = new(
        new() { Pid = 7, Name = "a", Processors = SourcedValue.Unknown, MinWorkers = new(4, SettingSource.Default) }, SessionSource.Live);

    public PoolTimelineTests() => timeline.On(new StreamOpened(At(0), Utc, 4));

    /// <summary>Until the target has counted its processors, the stream's header says how many they are: four.</summary>
    [Theory]
    [InlineData(2, 500.0, 0.75, null, 0.75)]
    [InlineData(null, 1000.0, 1.0, null, 0.25)]
    [InlineData(null, 1000.0, null, 0.62, 0.62)]
    [InlineData(2, null, 1.0, null, null)]
    public void Processor_seconds_become_a_share_of_the_processors_that_the_target_counts(
        int? processors, double? intervalMs, double? seconds, double? share, double? cpu)
    {
        if (processors is { } counted)
        {
            timeline.On(new ProcessorsCounted(At(1), counted));
        }

        timeline.On(new CountersRead(At(1000), intervalMs, 8, 0, intervalMs is null ? null : 10, new(seconds, share)));
        var levels = timeline.Snapshot().Levels;
        Assert.Equal((cpu, intervalMs is null), (levels.Cpu, levels.CompletedPerSecond is null));
    }

    [Fact]
    public void Levels_are_the_newest_values()
    {
        timeline.On(new TargetThreadsChanged(At(10), 1, 9, AdjustmentReason.Starvation));
        timeline.On(new WorkerStarted(At(11), 2, 9));
        timeline.On(new CountersRead(At(500), 250, 10, 57, 30, new(null, 0.1)));
        timeline.On(new WorkerStopped(At(600), 2, 8));

        Assert.Equal(new PoolLevels(8, 9, 57, 120, 0.1), timeline.Snapshot().Levels);
        Assert.Equal(At(600), timeline.Snapshot().Now);
    }

    [Fact]
    public void Every_event_counts_once_and_loss_is_no_event()
    {
        timeline.On(new WorkerStarted(At(1), 2, 9));
        timeline.On(new CountersRead(At(2), null, 9, 0, null, default));
        ((IFactSink)timeline).On(new ThreadCreated(At(3), 1, 1));
        timeline.On(new EventUndecodable(At(4), "55 version 9"));
        timeline.On(new EventsLost(At(5), 3));

        var quality = timeline.Snapshot().Quality;
        Assert.Equal((4L, 3L, 1L, false), (quality.Events, quality.Lost, quality.Undecodable, quality.LossUnknown));
        Assert.Equal(At(5), quality.CompleteUpTo);
    }

    [Fact]
    public void Loss_lies_between_the_last_event_and_the_first_after_it()
    {
        timeline.On(new WorkerStarted(At(100), 2, 9));
        timeline.On(new EventsLost(At(400), 2));
        timeline.On(new EventsLost(At(900), 5));

        var snapshot = timeline.Snapshot();
        Assert.Equal([new(At(100), At(400)), new EventSpan(At(400), At(900))], snapshot.Quality.LossSpans);
        Assert.Equal((7, false), (snapshot.Quality.Lost, snapshot.Quality.LossUnknown));
        Assert.True(snapshot.Buckets[5].Lost);
        Assert.False(snapshot.Buckets[1].Lost);
        timeline.On(new EventsLost(At(905), null));
        Assert.True(timeline.Snapshot().Quality is { LossUnknown: true, Lost: 7 });
    }

    [Fact]
    public void A_remark_is_kept_once()
    {
        timeline.On(new IntervalOverruled(At(1), "every 5 s"));
        timeline.On(new IntervalOverruled(At(2), "every 5 s"));
        timeline.Remark("no clock");

        Assert.Equal(["counter samples: every 5 s", "no clock"], timeline.Snapshot().Quality.Remarks);
    }

    [Fact]
    public void What_the_target_says_replaces_what_was_assumed()
    {
        timeline.On(new ProcessorsCounted(At(1), 2));
        timeline.On(new LimitsChanged(At(2), 16, 200));
        timeline.On(new SwitchSeen(At(3), "System.Threading.ThreadPool.DisableStarvationDetection", true));
        timeline.On(new SwitchSeen(At(4), "System.Threading.ThreadPool.DisableStarvationDetection", true));
        timeline.On(new SwitchSeen(At(5), "System.Globalization.Invariant", true));

        var target = timeline.Snapshot().Target;
        Assert.Equal(new(2, SettingSource.Event), target.Processors);
        Assert.Equal(new(16, SettingSource.Event), target.MinWorkers);
        Assert.Equal(new(200, SettingSource.Event), target.MaxWorkers);
        Assert.Equal("System.Threading.ThreadPool.DisableStarvationDetection", Assert.Single(target.Settings).Name);
    }

    [Theory]
    [InlineData(4, nameof(SettingSource.Memory), nameof(SettingSource.Default))]
    [InlineData(6, nameof(SettingSource.Memory), nameof(SettingSource.Memory))]
    [InlineData(4, nameof(SettingSource.Event), nameof(SettingSource.Event))]
    public void A_reading_that_says_what_is_known_leaves_where_it_is_known_from(int min, string by, string source)
    {
        timeline.On(new LimitsChanged(At(2), min, 200, Enum.Parse<SettingSource>(by)));
        Assert.Equal(new(min, Enum.Parse<SettingSource>(source)), timeline.Snapshot().Target.MinWorkers);
    }

    [Fact]
    public void Processor_seconds_of_an_unknown_number_of_processors_are_no_share()
    {
        timeline.On(new StreamOpened(At(0), Utc, 0));
        timeline.On(new CountersRead(At(1000), 1000, 8, 0, 10, new(0.5, null)));
        Assert.Null(timeline.Snapshot().Levels.Cpu);
    }

    [Fact]
    public void The_goal_is_min_at_first_and_limits_set_later_move_it_between_them()
    {
        Limits(2, 16, 200, goal: 16);
        Goal(3, 20, AdjustmentReason.Starvation);
        Limits(4, 16, 200, goal: 20);
        Limits(5, 150, 200, goal: 150);
        Limits(6, 8, 40, goal: 40);
        // What was read moves nothing.
        Limits(7, 150, 200, goal: 40, SettingSource.Memory);
    }

    [Fact]
    public void While_task_waits_are_compensated_the_gate_raises_it_and_tells()
    {
        Goal(1, 8, AdjustmentReason.Starvation);
        Goal(2, 12, AdjustmentReason.CooperativeBlocking);
        Limits(3, 150, 200, goal: 12);
        Goal(4, 9, AdjustmentReason.CooperativeBlocking);
        Limits(5, 150, 200, goal: 150);
    }

    [Fact]
    public void A_step_back_in_time_does_not_shorten_what_is_known()
    {
        timeline.On(new WorkerStarted(At(1000), 2, 9));
        timeline.On(new WorkerStarted(At(400), 3, 10));

        Assert.Equal(At(1000), timeline.Snapshot().Now);
        Assert.Equal(21, timeline.Snapshot().Buckets.EndIndex);
    }

    [Fact]
    public void Event_time_becomes_wall_clock_time_of_the_target()
    {
        Assert.Equal(Utc.AddMilliseconds(1234.5), timeline.Snapshot().UtcOf(At(1234.5)));
    }

    [Fact]
    public void A_heartbeat_fills_the_lanes_behind_it()
    {
        timeline.On(new CountersRead(At(1000), null, 8, 3, null, default));
        timeline.On(new CountersRead(At(2000), 1000, 8, 5, 100, new(null, 0.5)));

        var buckets = timeline.Snapshot().Buckets;
        Assert.Equal((100f, 0.5f, 3L), (buckets[30].CompletedPerSecond, buckets[30].Cpu, buckets[30].QueueLength));
        Assert.Equal(5, buckets[40].QueueLength);
        Assert.True(float.IsNaN(buckets[10].Cpu));
    }

    [Fact]
    public void An_hour_of_heartbeats_is_kept()
    {
        for (var i = 1; i <= 5000; i++)
        {
            timeline.On(new CountersRead(At(i * 1000.0), 1000, 8, i, 0, default));
        }

        var kept = timeline.Snapshot().CounterSamples;
        Assert.Equal((3600, 1401L, 5000L), (kept.Length, kept[0].QueueLength!.Value, kept[^1].QueueLength!.Value));
    }

    void Goal(double ms, int wanted, AdjustmentReason reason) => timeline.On(new TargetThreadsChanged(At(ms), 1, wanted, reason));

    void Limits(double ms, int min, int max, int goal, SettingSource source = SettingSource.Event)
    {
        timeline.On(new LimitsChanged(At(ms), min, max, source));
        Assert.Equal(goal, timeline.Snapshot().Levels.TargetThreads);
    }

    static EventTime At(double ms) => new EventTime(77_000_000_000_123).PlusMs(ms);
}
