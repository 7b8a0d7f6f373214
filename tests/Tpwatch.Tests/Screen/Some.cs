using System.Collections.Immutable;
using Tpwatch.Core;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Screen;

/// <summary>Reports as an engine would make them, for tests of what is drawn.</summary>
static partial class Some
{
    public static readonly EventTime Start = new(7_000_000_000_000);

    static readonly DateTime StartUtc = new(2026, 11, 21, 2, 29, 6, DateTimeKind.Utc);

    public static TargetFacts Target { get; } = new()
    {
        Pid = 41822, Name = "OrderApi", RuntimeVersion = "10.0.1", Os = "Linux", Architecture = "x64",
        Processors = new(8, SettingSource.Event), MinWorkers = new(8, SettingSource.Default),
        MaxWorkers = new(32767, SettingSource.Default),
    };

    /// <summary>Nothing but a capture that goes on: no event, no heartbeat yet.</summary>
    public static PoolReport Empty(double seconds = 7) => Report(seconds, _ => new(8, 8, 8, -1, float.NaN, float.NaN, false)) with
    {
        Verdict = Verdict.Undecided,
        Headline = "Undecided: no counter sample has come yet, so queue length and completions are not known.",
        Lack = new("no counter sample has come yet", ", so queue length and completions are not known"),
    };

    /// <summary>Attached late to a runtime that says nothing of its limits, without a heartbeat.</summary>
    public static PoolReport Unknown()
    {
        var report = Empty();
        var target = Target with
        {
            MinWorkers = SourcedValue.Unknown,
            MaxWorkers = SourcedValue.Unknown,
            Processors = SourcedValue.Unknown,
            RuntimeVersion = null,
        };
        return report with
        {
            Timeline = report.Timeline with
            {
                Target = target,
                Levels = new(null, null, null, null, null),
                Buckets = BucketSeries.Of(Start, [.. Enumerable.Repeat(Bucket.Unknown, 140)]),
            },
        };
    }

    /// <summary>What the rules of starvation say where no stacks were taken.</summary>
    public static Remedy FindTheCall(bool over = false) => new(
        "Find the call that blocks the worker threads (lock, semaphore, sleep, synchronous I/O) and replace it with an asynchronous one.",
        new MissingDataHint(" To find the call, run dotnet tpwatch report -p 41822 --depth stacks.",
            $" To find the call, press t{(over ? " when items wait again" : "")}."));

    /// <summary>Eight workers blocked, ten injections by the gate at its ticks, then the burst is over.</summary>
    public static PoolReport StarvingBurst(double seconds = 18)
    {
        var delays = BurstGaps().Where(g => g.End.MsSince(Start) <= seconds * 1000).ToImmutableArray();
        var (added, end) = (delays.Count(g => g.Reason == AdjustmentReason.Starvation), Math.Min(14.6, seconds));
        var report = Report(seconds, i => BurstBucket(i * 0.05, delays)) with
        {
            InjectionDelays = delays,
            Adjustments = delays.CountBy(g => g.Reason!.Value).ToImmutableSortedDictionary(),
            Verdict = Verdict.Starved,
            IsNow = seconds < 14.6,
            StarvedMs = Math.Max(0, end - 3.5) * 1000,
            Since = At(3.5),
            Headline = "The pool starved: items waited up to 6.1 s while all worker threads were blocked."
                + (seconds < 14.6 ? "" : " It is over."),
            Episodes = [new(new(At(3.5), At(end)), Verdict.Starved, Over: seconds >= 14.6, Math.Clamp((end - 4.5) * 1000, 0, 6100))],
            Findings =
            [
                new("TPW001", "Starvation", Severity.Serious, Confidence.High, At(3.5), At(end),
                    $"The pool added {added} threads, at most one per 500 ms, while work items waited.",
                    [], [FindTheCall(seconds >= 14.6)]),
            ],
        };
        return report with { Timeline = report.Timeline with { CounterSamples = [.. CounterSamples(report.Timeline.Buckets, seconds)] } };
    }

    /// <summary>The burst with findings as the rules phrase them, one undecided and some clear.</summary>
    public static PoolReport Found() => StarvingBurst() with
    {
        Findings =
        [
            new("TPW001", "Starvation by calls the pool cannot detect", Severity.Serious, Confidence.High, At(3.5), At(14.6),
                "The pool added 10 threads, at most one per 500 ms, while work items waited.",
                [
                    new("Threads that the pool added because of starvation", 10, "threads", "event 55"),
                    new("Delays of these injections as expected", 9, "of 10 judged", "gap ledger"),
                    new("Processor use while items waited", 6, "%", "heartbeat"),
                    new("While items waited, the pool added one thread about every", 1003, "ms", "event 55")
                    { GoesOn = true, IsEstimate = true },
                    new("Longest queue", 163, "items", "heartbeat"),
                ],
                [
                    new("Find the call that blocks the worker threads (lock, semaphore, sleep, synchronous I/O) "
                        + "and replace it with an asynchronous one.",
                        new MissingDataHint(" To find the call, run dotnet tpwatch report -p 41822 --depth stacks.",
                            " To find the call, press t when items wait again.")),
                    Remedy.Workaround(
                        "only once you know the blocking call", "set MinThreads to 20 (what the pool grew to, rounded up).",
                        " More threads use memory, do not fix the blocking, and are useless if all wait for one lock.",
                        "ThreadPool.SetMinThreads(20, 8), or \"System.Threading.ThreadPool.MinThreads\": 20 in runtimeconfig.json, "
                        + "or DOTNET_ThreadPool_ForceMinWorkerThreads=0x14 (20 in hexadecimal)") with
                    { IsDoubtedMin = true },
                ]),
            new("TPW013", "Idle worker threads ended and were needed again", Severity.Note, Confidence.High, At(0.9), At(16.4),
                "2 idle threads ended after 20 s without work.", [new("Timeouts", 2, "threads", "event 55")], [new("Nothing to do.")]),
            new("TPW012", "Thread count adjustments by hill climbing", Severity.Note, Confidence.Medium, At(0.9), At(16.4),
                "Hill climbing changed the target thread count 3 times, by one in total. That is harmless.",
                [new("Hill climbing changed the target thread count", 3, "times", "event 55")], [new("Nothing to do.")]),
        ],
        Undecided =
        [
            new("TPW009", "items have run for at least 10.0 s, so they either take long or hang. "
                + "To find out, run dotnet tpwatch report -p 41822 --depth stacks", MissingKind.Stacks)
            {
                How = new(". To find out, run dotnet tpwatch report -p 41822 --depth stacks",
                    ". To find out, press t when items wait again"),
            },
        ],
        Clear = ["TPW002", "TPW003", "TPW005", "TPW006"],
    };

    /// <summary>The burst, and then the target ended.</summary>
    public static PoolReport Exited() => StarvingBurst() with { End = SessionEnd.TargetExited };

    public static EventTime At(double seconds) => Start.PlusMs(seconds * 1000);

    public static PoolReport Report(double seconds, Func<int, Bucket> bucket)
    {
        var buckets = BucketSeries.Of(Start, [.. Enumerable.Range(0, (int)Math.Round(seconds * 20)).Select(bucket)]);
        return new()
        {
            Timeline = new()
            {
                Target = Target, Source = SessionSource.Live, Start = Start,
                StartUtc = StartUtc, Now = At(seconds - 0.01), Levels = Last(buckets),
                Buckets = buckets, CounterSamples = [], Quality = new(2_400, 0, false, 0, At(seconds), [], []),
            },
            InjectionDelays = [], Journal = [], Evicted = 0, Adjustments = ImmutableSortedDictionary<AdjustmentReason, int>.Empty,
            Tally = new(0, 0, 0, 0, 0, 0, 0, 0), Episodes = [],
            Verdict = Verdict.Healthy, Headline = "No item waited for long.",
            IsNow = false, StarvedMs = 0,
        };
    }

    internal static PoolLevels Last(BucketSeries buckets)
    {
        var last = buckets[buckets.EndIndex - 1];
        return new(last.WorkersMax < 0 ? null : last.WorkersMax, last.TargetThreads < 0 ? null : last.TargetThreads, last.QueueLength < 0
            ? null : last.QueueLength,
            float.IsNaN(last.CompletedPerSecond) ? null : last.CompletedPerSecond, float.IsNaN(last.Cpu) ? null : last.Cpu);
    }

    // A counter sample a second, as the buckets show the time before it.
    static IEnumerable<CounterSample> CounterSamples(BucketSeries buckets, double seconds) => Enumerable.Range(1, (int)(seconds - 0.01))
        .Select(second => (At: At(second), Bucket: buckets[second * 20 - 1]))
        .Select(b => new CounterSample(b.At, 1000, b.Bucket.WorkersMax, b.Bucket.QueueLength, (long)b.Bucket.CompletedPerSecond,
            b.Bucket.Cpu));

    /// <summary>Items that wait at a moment of the burst, seconds.</summary>
    static long Queued(double at) => (long)Math.Max(0, at <= 12.5 ? (at - 3.4) * 18 : (14.6 - at) * 78);

    static Bucket BurstBucket(double at, ImmutableArray<InjectionDelay> delays)
    {
        var targetThreads = delays.LastOrDefault(g => g.End.MsSince(Start) <= at * 1000)?.TargetThreadsAfter ?? 8;
        var wave = Math.Sin(at * 1.7);
        return at switch
        {
            < 3.5 => new(8, targetThreads, targetThreads, 0, (float)(420 + 90 * wave), (float)(0.44 + 0.05 * wave), false),
            < 14.6 => new(targetThreads, targetThreads, targetThreads, Queued(at), 0.9f, 0.06f, false),
            _ => new(targetThreads, targetThreads, targetThreads, 0, (float)(510 + 20 * wave), (float)(0.41 + 0.04 * wave), false),
        };
    }
}
