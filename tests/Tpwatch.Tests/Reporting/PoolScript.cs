using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Reporting;

/// <summary>
/// Plays a pool's life to the engine, fact by fact in event time, the way the wire has it: the gate's own birth, a worker's creation by its
/// creator, its start half a millisecond later. Times are milliseconds; the origin is arbitrary, since only differences may matter.
/// </summary>
sealed class PoolScript
{
    public const int Gate = 900;
    public const int Requester = 100;
    const int FirstWorker = 1000;

    readonly IFactSink sinks;
    readonly PoolFold fold;
    EventTime origin;
    EventTime now;
    EventTime mark;
    EventTime? lastSample;
    (double EveryMs, long QueueLength, long Completed, double? Cpu)? pulse;
    int targetThreads;
    int existing;
    int threads;

    public PoolScript(double originMs = 5_000_000_000.25, TargetFacts? target = null)
    {
        var known = target ?? new TargetFacts { Pid = 4242, Name = "Orders.Api", RuntimeVersion = "10.0.12" };
        fold = new(known, SessionSource.Live);
        sinks = fold.Sink();
        origin = now = mark = new((long)(originMs * 1e6));
        sinks.On(new StreamOpened(now, new DateTime(2026, 11, 21, 2, 29, 0, DateTimeKind.Utc), 64));
    }

    public PoolTimeline Timeline => fold.Timeline;

    public PoolLedger Ledger => fold.Ledger;

    public EventTime Now => now;

    public EventTime Origin => origin;

    /// <summary>The report so far. A rule that throws is isolated in the product and must not pass here.</summary>
    public PoolReport Report(SessionEnd end = SessionEnd.StillOpen)
    {
        var report = fold.Report(end);
        Assert.DoesNotContain(report.Undecided, u => u.Kind == MissingKind.Check);
        return report;
    }

    /// <summary>The report so far, where one is asked for.</summary>
    public static implicit operator PoolReport(PoolScript script) => script.Report();

    public PoolForecast Forecast() => fold.Forecast.Snapshot();

    public PoolScript Processors(int count) => Tell(s => s.On(new ProcessorsCounted(now, count)));

    public PoolScript Limits(int min, int max)
    {
        targetThreads = min;
        return Tell(s => s.On(new LimitsChanged(now, min, max)));
    }

    /// <summary>Limits as a reading of the memory shows them.</summary>
    public PoolScript Read(int min, int max) => Tell(s => s.On(new LimitsChanged(now, min, max, SettingSource.Memory)));

    /// <summary>The goal that the next rise starts from, without a fact: a stream judged with limits that are not its own.</summary>
    public PoolScript TargetThreads(int wanted)
    {
        targetThreads = wanted;
        return this;
    }

    public PoolScript Switch(string name, bool on = true) => Tell(s => s.On(new SwitchSeen(now, name, on)));

    public PoolScript Clock(ClockRegime regime, double grid = 2.506, double edge = 0.02, double step = 4) =>
        Tell(s => s.On(new ClockSeen(new(now, step, grid, edge, regime))));

    /// <summary>Time passes; heartbeats that fall due come.</summary>
    public PoolScript Pass(double ms) => GoTo(now.PlusMs(ms));

    /// <summary>From now on the same heartbeat comes every so often; the first one now, without a reading before it.</summary>
    public PoolScript CounterSamples(long queueLength, long completed = 0, double? cpu = 0.02, double every = 1000)
    {
        pulse = (every, queueLength, completed, cpu);
        return lastSample is null ? CounterSample(queueLength, completed, existing, cpu) : this;
    }

    public PoolScript NoBeats()
    {
        pulse = null;
        return this;
    }

    public PoolScript CounterSample(long? queueLength, long? completed, int? workers, double? cpu)
    {
        var interval = lastSample is { } last ? now.MsSince(last) : (double?)null;
        lastSample = now;
        return Tell(s => s.On(new CountersRead(
            now, interval, workers, queueLength, interval is null ? null : completed, new(null, interval is null ? null : cpu))));
    }

    /// <summary>A heartbeat a second with these queues, as many items completed in each.</summary>
    public PoolScript Queues(long completed, int workers, params long[] lengths)
    {
        foreach (var length in lengths)
        {
            Pass(1000).CounterSample(length, completed, workers, 0.02);
        }

        return this;
    }

    /// <summary>Workers created on demand by whoever queues, half a millisecond apart.</summary>
    public PoolScript Ramp(int count)
    {
        for (var i = 0; i < count; i++)
        {
            Born(Requester, 0.4);
            Pass(0.1);
        }

        return this;
    }

    /// <summary>The gate thread begins its life; its ticks count from here.</summary>
    public PoolScript GateBegins()
    {
        Tell(s => s.On(new ThreadCreated(now, Requester, Gate)));
        Pass(0.3).Tell(s => s.On(new ThreadBegan(now, Gate, Gate)));
        mark = now;
        return this;
    }

    /// <summary>The usual opening: processors, limits, as many workers as min, the gate; everything is blocked from here on.</summary>
    public PoolScript Opening(int processors = 8) => Processors(processors).Limits(processors, 32767).Ramp(processors).GateBegins();

    /// <summary>The gate injects so long after the last adjustment (or its own birth), and its worker starts.</summary>
    public PoolScript StarvationAfter(double ms) => AdjustAfter(ms, targetThreads + 1, AdjustmentReason.Starvation, Gate).Born(Gate, 0.42);

    /// <summary>A starvation injection for which no thread is created: one that is parked since hill climbing took it goes on.</summary>
    public PoolScript GivenBackAfter(double ms) => AdjustAfter(ms, targetThreads + 1, AdjustmentReason.Starvation, Gate);

    /// <summary>The gate compensates for task waits so long after the last adjustment, and its worker starts.</summary>
    public PoolScript CooperativeAfter(double ms, int by = 1)
    {
        AdjustAfter(ms, targetThreads + by, AdjustmentReason.CooperativeBlocking, Gate);
        for (var i = 0; i < by; i++)
        {
            Born(Gate, 0.4 / by);
        }

        return this;
    }

    /// <summary>Compensation is taken back; no worker ends at once.</summary>
    public PoolScript WithdrawTo(int wanted, double after = 10) => AdjustAfter(after, wanted, AdjustmentReason.CooperativeBlocking, Gate);

    public PoolScript ClimbTo(int wanted, double after = 10) => AdjustAfter(after, wanted, AdjustmentReason.ClimbingMove, FirstWorker);

    public PoolScript AdjustAfter(double ms, int wanted, AdjustmentReason reason, int thread)
    {
        GoTo(mark.PlusMs(ms));
        (mark, targetThreads) = (now, wanted);
        return Tell(s => s.On(new TargetThreadsChanged(now, thread, wanted, reason)));
    }

    /// <summary>A worker that the stream does not show being created starts.</summary>
    public PoolScript WorkerAppears() => Tell(s => s.On(new WorkerStarted(now, FirstWorker + threads++, ++existing)));

    public PoolScript WorkerSleeps(int worker = 0) => Tell(s => s.On(new WorkerWaited(now, FirstWorker + worker, existing)));

    /// <summary>Hill climbing takes a sample.</summary>
    public PoolScript Sampled() => Tell(s => s.On(new ThroughputSampled(now, 40)));

    /// <summary>A suspension of so long has just ended.</summary>
    public PoolScript Suspended(double ms) => Tell(s => s.On(new ThreadsSuspended(now, ms)));

    /// <summary>The process is looked at from outside; the reading covers a second unless it says otherwise.</summary>
    public PoolScript Looked(Func<ProcessReading, ProcessReading> reading) =>
        Tell(s => s.On(new ProcessSampled(reading(new(now, 1000, Stopped: false)))));

    /// <summary>A look finds that the process was stopped until now, for so long.</summary>
    public PoolScript Stopped(double ms) => Looked(r => r with { StoppedSince = now.PlusMs(-ms), StoppedUntil = now });

    /// <summary>A worker ends for idleness.</summary>
    public PoolScript WorkerEnds() => Tell(s => s.On(new WorkerStopped(now, FirstWorker, --existing)));

    /// <summary>The gate injects, and its thread takes so long to start.</summary>
    public PoolScript SlowStarvationAfter(double ms, double startMs) =>
        AdjustAfter(ms, targetThreads + 1, AdjustmentReason.Starvation, Gate).Born(Gate, startMs);

    /// <summary>Events were lost since the last event.</summary>
    public PoolScript Lose(long? count = 17) => Tell(s => s.On(new EventsLost(now, count)));

    public PoolScript Repeat(int times, Func<PoolScript, PoolScript> step)
    {
        for (var i = 0; i < times; i++)
        {
            step(this);
        }

        return this;
    }

    PoolScript Born(int creator, double startMs)
    {
        var thread = FirstWorker + threads++;
        Pass(0.06).Tell(s => s.On(new ThreadCreated(now, creator, thread)));
        Pass(startMs).Tell(s => s.On(new ThreadBegan(now, thread, thread)));
        return Pass(0.01).Tell(s => s.On(new WorkerStarted(now, thread, ++existing)));
    }

    PoolScript GoTo(EventTime at)
    {
        while (pulse is { } p && lastSample is { } last && last.PlusMs(p.EveryMs) <= at)
        {
            now = last.PlusMs(p.EveryMs);
            CounterSample(p.QueueLength, p.Completed, existing, p.Cpu);
        }

        now = at > now ? at : now;
        return this;
    }

    PoolScript Tell(Action<IFactSink> fact)
    {
        fact(sinks);
        return this;
    }
}
