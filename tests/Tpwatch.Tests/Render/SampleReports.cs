using System.Collections.Immutable;
using Tpwatch.Core;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Render;

/// <summary>Reports as an incident would leave them, made by hand.</summary>
static class SampleReports
{
    public static readonly EventTime Origin = new(1_000_000_000_000);
    static readonly DateTime OriginUtc = new(2026, 11, 21, 2, 29, 0, DateTimeKind.Utc);

    /// <summary>The moment so many milliseconds after the start.</summary>
    public static EventTime At(double ms) => Origin.PlusMs(ms);

    /// <summary>Nothing happened.</summary>
    public static PoolReport Healthy() => new()
    {
        Timeline = Timeline(30_000),
        InjectionDelays = [], Journal = [], Evicted = 0, Adjustments = ImmutableSortedDictionary<AdjustmentReason, int>.Empty,
        Tally = new(0, 0, 0, 0, 0, 0, 0, 0), Episodes = [], Verdict = Verdict.Healthy,
        Headline = "No item waited for long.", IsNow = false, StarvedMs = 0, MaxWorkers = 8, MaxQueueLength = 0,
        End = SessionEnd.StoppedByUs,
    };

    /// <summary>
    /// A burst of blocking items: 25 injections on gate ticks, one of them late, a move of hill climbing, over at the end.
    /// </summary>
    public static PoolReport Starved()
    {
        var delays = Enumerable.Range(1, 25).Select(n => n == 7 ? Late(n) : GateCheck(n)).Append(Climbing(26)).ToImmutableArray();
        return Healthy() with
        {
            Timeline = Timeline(30_000) with { Target = Target(), Levels = new(33, 33, 0, 510.04, 0.41), Buckets = Ramp(600) },
            InjectionDelays = delays,
            Journal = delays,
            Tally = new(26, 24, 0, 1, 0, 0, 1, 0),
            Adjustments = ImmutableSortedDictionary<AdjustmentReason, int>.Empty
                .Add(AdjustmentReason.Starvation, 25).Add(AdjustmentReason.ClimbingMove, 1),
            Episodes = [new(new(At(1600), At(27_500)), Verdict.Starved, Over: true, 24_000)],
            Verdict = Verdict.Starved,
            Headline = "The thread pool was starved for 25.9 s from 2026-11-21T02:29:01.600Z. The problem is over now. "
                + "Work items waited while "
                + "every worker thread was busy. The pool added 25 threads, one at a time. Up to 165 items were queued. "
                + "Find what blocks the worker threads and make it asynchronous.",
            Since = At(1600),
            StarvedMs = 25_900,
            MaxWorkers = 33,
            MaxQueueLength = 165,
            Findings = [Blocking()],
            Undecided = [new("TPW019", "request times are not measured here (dotnet tpwatch report -p 41822 --verbose lists them)",
                MissingKind.Requests)],
            Clear = ["TPW002", "TPW003"],
            End = SessionEnd.TargetExited,
        };
    }

    /// <summary>Completions keep the detector asleep; it lasts.</summary>
    public static PoolReport SilentlyStarved()
    {
        var open = InjectionDelay(1, 1000, 4200) with
        {
            Reason = null,
            TargetThreadsBefore = 8,
            TargetThreadsAfter = null,
            Verdict = DelayVerdict.Open,
            Mechanism = Mechanism.G3Undetected,
            EndBasis = Basis.Inferred,
            Because = "some item has waited at least 3.2 s while 2.5 items/s complete: less than 500 ms apart, so the detector sleeps",
        };
        return Healthy() with
        {
            Timeline = Timeline(4200) with { Levels = new(8, 8, 391, 2.5, 0.05) },
            InjectionDelays = [open],
            Tally = new(1, 0, 0, 0, 0, 0, 0, 1),
            Episodes = [new(new(At(1000), At(4200)), Verdict.SilentlyStarved, Over: false, 3200)],
            Verdict = Verdict.SilentlyStarved,
            Headline = "The thread pool has been starved since 2026-11-21T02:29:01.000Z or before (3.2 s seen). "
                + "The runtime does not detect the starvation, so the pool adds no thread. An item waited at least 3.2 s. "
                + "Up to 391 items were queued. Find what blocks the worker threads and make it asynchronous.",
            Since = At(1000),
            IsNow = true,
            StarvedMs = 3200,
            MaxQueueLength = 391,
            Forecast = Draining() with { NextInjection = null },
            End = SessionEnd.StillOpen,
        };
    }

    /// <summary>A recording without its side-car that breaks off, with events lost.</summary>
    public static PoolReport Damaged() => Healthy() with
    {
        Timeline = Timeline(10_000) with
        {
            Source = SessionSource.Recording,
            Target = new() { Pid = 4711, Name = "OrderApi" },
            Levels = new(null, null, null, null, double.NaN),
            Buckets = BucketSeries.Of(Origin, [Bucket.Unknown, Bucket.Unknown with { Lost = true }]),
            Quality = new(
                120, 30, LossUnknown: true, 2, At(9500), [new(At(3000), At(4000))],
                ["run.nettrace.json is missing. Without that file, tpwatch does not know all settings of the process, "
                    + "or whether the process was stopped (TPW014). If you have the file, put it next to the recording."]),
        },
        InjectionDelays =
        [
            InjectionDelay(3, 2900, 4100) with
            {
                Start = null, StartBasis = Basis.Unknown, Verdict = DelayVerdict.NoData, Mechanism = Mechanism.None, Ticks = [],
                    Windows = [],
                TargetThreadsBefore = null, Cpu = double.NaN, QueueLength = null, Because = "events were lost inside",
            },
        ],
        Tally = new(3, 0, 0, 0, 0, 1, 2, 0),
        Evicted = 2,
        Verdict = Verdict.Undecided,
        Headline = "The capture is incomplete, so tpwatch cannot tell whether the pool starved.",
        MaxWorkers = null,
        MaxQueueLength = null,
        End = SessionEnd.RecordingBroken,
    };

    /// <summary>A wait of two gate ticks that fits.</summary>
    public static InjectionDelay GateCheck(int number) => InjectionDelay(number, 600 + 1000 * number, 1603 + 1000 * number);

    /// <summary>A wait that fits, between two moments in milliseconds since the start.</summary>
    public static InjectionDelay InjectionDelay(int number, double from, double to) => new()
    {
        Number = number, Start = At(from), StartBasis = Basis.Observed, End = At(to), EndBasis = Basis.Observed,
        Reason = AdjustmentReason.Starvation, TargetThreadsBefore = 7 + number, TargetThreadsAfter = 8 + number,
        Windows = [new(490, 510), new(995, 1012)], Ticks = [Quiet(from + 501), Fired(to)],
        Verdict = DelayVerdict.AsExpected, Mechanism = Mechanism.G1GateTick,
        Because = "The second gate check added the thread: 1003 ms since the last dequeue, more than 500 ms.", Cpu = 0.062,
        QueueLength = 72,
    };

    /// <summary>The same as a report's only gap.</summary>
    public static PoolReport With(params InjectionDelay[] delays) =>
        Healthy() with { InjectionDelays = [.. delays], Journal = [.. delays] };

    /// <summary>A tick that did not inject.</summary>
    public static GateCheck Quiet(double ms) =>
        new(At(ms), 500, 0.06, Fired: false, "500ms since dequeue, not >500", Sure: true, Basis.Inferred)
        { Spoken = "500 ms since the last dequeue, not more than 500 ms", IsReading = true };

    /// <summary>A tick that injected.</summary>
    public static GateCheck Fired(double ms) => new(At(ms), 1003, 0.06, Fired: true, "1003ms since dequeue", Sure: true, Basis.Observed);

    /// <summary>Arrivals outrun completions; the next injection is not sure of its tick.</summary>
    public static PoolForecast Draining() => new()
    {
        At = At(4200),
        NextInjection = new(At(4512), [new(At(4506), At(4526)), new(At(5007), At(5027))],
            Mechanism.G1GateTick, "unless an item is dequeued first", Sure: false),
        StartDelayOfNewItem = new(
            At(4000), 32_300, 43_500, 37_900,
            "Ahead of a new item: 391 items. Busy worker threads: 8. An item holds its thread for 2.1 s to 2.8 s."),
        QueueEmpty = new(null, Never: true, "10/s arrive and 2.5/s complete."),
    };

    static InjectionDelay Late(int number) => GateCheck(number) with
    {
        Verdict = DelayVerdict.Late,
        Windows = [new(490, 510)],
        Because = "The second gate check added the thread: 1003 ms since the last dequeue, more than 500 ms. The thread came 493 ms late.",
    };

    static InjectionDelay Climbing(int number) => InjectionDelay(number, 28_000, 28_000) with
    {
        Start = null,
        StartBasis = Basis.Unknown,
        Reason = AdjustmentReason.ClimbingMove,
        Ticks = [],
        Windows = [],
        Verdict = DelayVerdict.NotTimed,
        Mechanism = Mechanism.G11Probing,
        Because = "Hill climbing changed the target thread count.",
    };

    static Finding Blocking() => new(
        "TPW001", "Starvation by calls the pool cannot detect", Severity.Serious, Confidence.High, At(1600), At(27_500),
        "The pool added 25 threads, at most one per 500 ms, while work items waited.",
        [
            new("Threads that the pool added because of starvation", 25, "threads", "event 55"),
            new("Longest queue", 165, "items", "heartbeat"),
        ],
        [
            new("Find the call that blocks the worker threads and replace it with an asynchronous one."),
            Remedy.Workaround(
                "only once you know the blocking call", "set MinThreads to 35 (what the pool grew to, rounded up).",
                " More threads use memory, do not fix the blocking, and are useless if all wait for one lock. "
                + "MaxThreads must be at least 35. "
                + "Change System.Threading.ThreadPool.MinThreads (now 8): while this setting exists, the runtime refuses calls to "
                + "SetMinThreads.",
                "\"System.Threading.ThreadPool.MinThreads\": 35 in runtimeconfig.json, "
                + "or DOTNET_ThreadPool_ForceMinWorkerThreads=0x23 (35 in hexadecimal)"),
        ])
    {
        Cause = new(CauseKind.HiddenBlocking, "worker threads blocked in calls that the pool cannot detect") { OfHeldThreads = true },
    };

    static TargetFacts Target() => new()
    {
        Pid = 41822, Name = "OrderApi", CommandLine = "/usr/bin/dotnet /srv/OrderApi.dll --connection secret", RuntimeVersion = "10.0.12",
        Os = "Linux", Architecture = "x64", Processors = new(8, SettingSource.Event), MinWorkers = new(8, SettingSource.Inferred),
        Settings = [new("System.Threading.ThreadPool.MinThreads", "8", SettingSource.Runtimeconfig)],
    };

    static TimelineSnapshot Timeline(double lengthMs) => new()
    {
        Target = Target(), Source = SessionSource.Live, Start = Origin, StartUtc = OriginUtc, Now = At(lengthMs),
        Levels = new(8, 8, 0, 12, 0.05), Buckets = BucketSeries.Of(Origin, []), CounterSamples = [],
        Quality = new(1284, 0, LossUnknown: false, 0, At(lengthMs), [], []),
    };

    static BucketSeries Ramp(int count) => BucketSeries.Of(
        Origin, [.. Enumerable.Range(0, count)
            .Select(i => new Bucket(8 + i / 20, 8 + i / 20, 8 + i / 20, Math.Max(0, 165 - i / 3), float.NaN, 0.06f, Lost: false))]);
}
