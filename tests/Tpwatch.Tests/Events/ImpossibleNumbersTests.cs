using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Events;

/// <summary>Numbers that no pool can have are counted as undecodable and change nothing else.</summary>
public sealed class ImpossibleNumbersTests
{
    static readonly EventTime At = new(5_000_000_000);

    static readonly Dictionary<string, Action<IFactSink>> Tellings = new()
    {
        ["goal"] = s => s.On(new TargetThreadsChanged(At, 1, -1, AdjustmentReason.Starvation)),
        ["goal above 16 bits"] = s => s.On(new TargetThreadsChanged(At, 1, 40_000, AdjustmentReason.Starvation)),
        ["workers"] = s => s.On(new WorkerStarted(At, 1, -3)),
        ["workers at an end"] = s => s.On(new WorkerStopped(At, 1, int.MaxValue)),
        ["workers at a wait"] = s => s.On(new WorkerWaited(At, 1, int.MinValue)),
        ["max below min"] = s => s.On(new LimitsChanged(At, 9, 8)),
        ["processors"] = s => s.On(new ProcessorsCounted(At, 0)),
        ["backlog"] = s => s.On(new CountersRead(At, 1000, 4, -1, 0, new(0.1, null))),
        ["completions"] = s => s.On(new CountersRead(At, 1000, 4, 0, -7, new(0.1, null))),
        ["processor use"] = s => s.On(new CountersRead(At, 1000, 4, 0, 0, new(null, double.NaN))),
        ["interval"] = s => s.On(new CountersRead(At, -1000, 4, 0, 0, new(0.1, null))),
    };

    public static TheoryData<string> Impossible => [.. Tellings.Keys];

    [Theory]
    [MemberData(nameof(Impossible))]
    public void What_cannot_be_is_undecodable_and_nothing_else(string what)
    {
        var timeline = Opened(out var sink);
        Tellings[what](sink);
        var seen = timeline.Snapshot();
        Assert.Equal((1, what), (seen.Quality.Undecodable, what));
        Assert.Empty(seen.CounterSamples);
        Assert.Equal(new PoolLevels(null, null, null, null, null), seen.Levels);
    }

    [Fact]
    public void A_heartbeat_older_than_the_one_before_it_is_undecodable()
    {
        var timeline = Opened(out var sink);
        sink.On(new CountersRead(At, null, 4, 0, 0, new(0.1, null)));
        sink.On(new CountersRead(At.PlusMs(-1), 1000, 9, 0, 0, new(0.2, null)));
        var seen = timeline.Snapshot();
        Assert.Equal((1, 1, 4), (seen.Quality.Undecodable, seen.CounterSamples.Length, seen.Levels.Workers));
    }

    [Fact]
    public void What_can_be_passes()
    {
        var timeline = Opened(out var sink);
        sink.On(new LimitsChanged(At, 8, 32_767));
        sink.On(new ProcessorsCounted(At, 8));
        sink.On(new WorkerStarted(At, 1, 8));
        sink.On(new TargetThreadsChanged(At, 1, 9, (AdjustmentReason)99));
        Assert.Equal((0, 9), (timeline.Snapshot().Quality.Undecodable, timeline.Snapshot().Levels.TargetThreads));
    }

    static PoolTimeline Opened(out IFactSink sink)
    {
        var timeline = new PoolTimeline(new() { Pid = 1, Name = "Any" }, SessionSource.Live);
        sink = new FactFanOut(_ => { }, timeline);
        sink.On(new StreamOpened(At, DateTime.UnixEpoch, 8));
        return timeline;
    }
}
