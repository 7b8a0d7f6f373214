using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Events;

public sealed class FactFanOutTests
{
    [Fact]
    public void Every_kind_of_fact_is_announced_by_its_event_time_and_reaches_each_sink()
    {
        var times = new List<EventTime>();
        var target = new TargetFacts { Pid = 1, Name = "a" };
        var (first, second) = (new PoolTimeline(target, SessionSource.Live), new PoolTimeline(target, SessionSource.Live));
        TellEverything(new FactFanOut(times.Add, first, new PoolLedger(target, new PortablePolicy()), second));

        Assert.Equal(Enumerable.Range(0, 18).Select(i => At(i)), times);
        var (one, other) = (first.Snapshot(), second.Snapshot());
        Assert.Equal(one.Levels, other.Levels);
        Assert.Equal(new PoolLevels(4, 9, 5, 7000, 0.5), one.Levels);
        Assert.Equal((one.Quality.Events, 3L, 1L), (other.Quality.Events, other.Quality.Lost, other.Quality.Undecodable));
    }

    /// <summary>A fact that it left to the interface's own answer would reach no sink, and nobody would notice.</summary>
    [Fact]
    public void It_answers_every_kind_of_fact_itself() => Assert.DoesNotContain(
        typeof(FactFanOut).GetInterfaceMap(typeof(IFactSink)).TargetMethods,
        method => method.Name == nameof(IFactSink.On) && method.DeclaringType != typeof(FactFanOut));

    static void TellEverything(IFactSink sink)
    {
        sink.On(new StreamOpened(At(0), new(2026, 11, 21, 0, 0, 0, DateTimeKind.Utc), 4));
        sink.On(new ProcessorsCounted(At(1), 4));
        sink.On(new SwitchSeen(At(2), "System.Threading.ThreadPool.X", true));
        sink.On(new LimitsChanged(At(3), 8, 100));
        sink.On(new TargetThreadsChanged(At(4), 1, 9, AdjustmentReason.Warmup));
        sink.On(new ThroughputSampled(At(5), 10));
        sink.On(new ThreadCreated(At(6), 1, 2));
        sink.On(new ThreadBegan(At(7), 2, 2));
        sink.On(new WorkerStarted(At(8), 2, 3));
        sink.On(new WorkerWaited(At(9), 2, 3));
        sink.On(new WorkerStopped(At(10), 2, 2));
        sink.On(new IntervalOverruled(At(11), "later"));
        sink.On(new ClockSeen(new(At(12), 4, 0, 0, ClockRegime.Idle)));
        sink.On(new EventsLost(At(13), 3));
        sink.On(new EventUndecodable(At(14), "55"));
        sink.On(new ThreadsSuspended(At(15), 1));
        sink.On(new ProcessSampled(new(At(16), 10, Stopped: false)));
        sink.On(new CountersRead(At(17), 1, 4, 5, 7, new(null, 0.5)));
    }

    static EventTime At(double ms) => new EventTime(9_000_000_000).PlusMs(ms);
}
