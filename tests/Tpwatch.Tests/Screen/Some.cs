using System.Collections.Immutable;
using Tpwatch.Basics;
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
        Headline = "Undecided: no counter sample came, so queue length and completions are not known.",
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

    /// <summary>Eight workers blocked, ten injections by the gate at its ticks, then the burst is over.</summary>
    public static PoolReport StarvingBurst(double seconds = 18)
    {
        var gaps = BurstGaps().Where(g => g.End.MsSince(Start) <= seconds * 1000).ToImmutableArray();
        var report = Report(seconds, i => BurstBucket(i * 0.05, gaps)) with
        {
            Gaps = gaps,
            Adjustments = gaps.CountBy(g => g.Reason!.Value).ToImmutableSortedDictionary(),
            Verdict = Verdict.Starved,
            IsNow = seconds < 14.6,
            StarvedMs = Math.Max(0, Math.Min(seconds, 14.6) - 3.5) * 1000,
            Since = At(3.5),
            Headline = "The pool starved: items waited up to 6.1 s while all 8 to 18 worker threads were blocked. It is over.",
            Episodes = [new(new(At(3.5), At(14.6)), Verdict.Starved, Over: seconds >= 14.6, 6100)],
            Findings =
            [
                new("TPW001", "Starvation", Severity.Serious, Confidence.High, At(3.5), At(14.6),
                    "The pool added 10 threads, at most one per 500 ms, while up to 165 items waited.",
                    [], [new("Find what blocks the worker threads.")]),
            ],
        };
        return report with { Timeline = report.Timeline with { Levels = Last(report.Timeline.Buckets) } };
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
                    new("As expected by the runtime's rules", 9, "of 10", "gap ledger"),
                    new("While items waited, the pool added one thread about every", 1003, "ms", "event 55"),
                    new("Longest queue", 163, "items", "heartbeat"),
                ],
                [
                    new("Find the call that blocks the worker threads (lock, semaphore, sleep, synchronous I/O) "
                        + "and replace it with an asynchronous one. To find it, run dotnet tpwatch report -p 41822 --depth stacks."),
                    new("Workaround, only once you know the blocking call: set MinThreads to 20 (what the pool grew to, rounded up). "
                        + "More threads use memory, do not fix the blocking, and are useless if all wait for one lock.",
                        "ThreadPool.SetMinThreads(20, …), or \"System.Threading.ThreadPool.MinThreads\": 20 in runtimeconfig.json, "
                        + "or DOTNET_ThreadPool_ForceMinWorkerThreads=0x14 (20 in hexadecimal)"),
                ]),
            new("TPW013", "Idle threads ended", Severity.Note, Confidence.High, At(0.9), At(16.4),
                "2 idle threads ended after 20 s without work.", [new("Timeouts", 2, "threads", "event 55")], [new("Nothing to do.")]),
            new("TPW012", "Thread count adjustments by hill climbing", Severity.Note, Confidence.Medium, At(0.9), At(16.4),
                "Hill climbing changed the target thread count 3 times, by one in total. That is harmless.",
                [new("Hill climbing changed the target thread count", 3, "times", "event 55")], [new("Nothing to do.")]),
        ],
        Undecided = [new("TPW009", "the times of single items are not known")],
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
                Buckets = buckets, Heartbeats = [], Quality = new(2_400, 0, false, 0, At(seconds), [], []),
            },
            Gaps = [], Journal = [], Evicted = 0, Adjustments = ImmutableSortedDictionary<AdjustmentReason, int>.Empty,
            Tally = new(0, 0, 0, 0, 0, 0, 0, 0), Episodes = [],
            Verdict = Verdict.Healthy, Headline = "No item waited for long.",
            IsNow = false, StarvedMs = 0,
        };
    }

    static PoolLevels Last(BucketSeries buckets)
    {
        var last = buckets[buckets.EndIndex - 1];
        return new(last.WorkersMax < 0 ? null : last.WorkersMax, last.Goal < 0 ? null : last.Goal, last.Backlog < 0 ? null : last.Backlog,
            float.IsNaN(last.CompletedPerSecond) ? null : last.CompletedPerSecond, float.IsNaN(last.Cpu) ? null : last.Cpu);
    }

    static Bucket BurstBucket(double at, ImmutableArray<Gap> gaps)
    {
        var goal = gaps.LastOrDefault(g => g.End.MsSince(Start) <= at * 1000)?.GoalAfter ?? 8;
        var wave = Math.Sin(at * 1.7);
        return at switch
        {
            < 3.5 => new(8, goal, goal, 0, (float)(420 + 90 * wave), (float)(0.44 + 0.05 * wave), false),
            < 14.6 => new(goal, goal, goal, (long)Math.Max(0, at < 12.5 ? (at - 3.4) * 18 : (14.6 - at) * 78), 0.9f, 0.06f, false),
            _ => new(goal, goal, goal, 0, (float)(510 + 20 * wave), (float)(0.41 + 0.04 * wave), false),
        };
    }

    static IEnumerable<Gap> BurstGaps()
    {
        yield return Climbing(1, 0.9, 8, 9);
        yield return Climbing(2, 2.4, 9, 8);
        var at = 3.6;
        for (var i = 0; i < 10; i++)
        {
            var late = i == 6;
            var ms = i == 3 ? 501.4 : late ? 1503.6 : 1002.6;
            at += ms / 1000;
            yield return Injection(i + 3, (at, ms), 8 + i, late);
        }

        yield return Climbing(13, 16.4, 18, 17);
    }

    static Gap Climbing(int number, double at, int before, int after) => new()
    {
        Number = number, StartBasis = Basis.Unknown, End = At(at), EndBasis = Basis.Observed, Reason = AdjustmentReason.ClimbingMove,
        GoalBefore = before, GoalAfter = after, Verdict = GapVerdict.NotTimed, Mechanism = Mechanism.G11Probing,
        Because = "Hill climbing tries another number of threads. It acts when items complete, not at fixed times.",
    };

    const string DueTick = ">500: should have added a thread and did not";

    static Gap Injection(int number, (double At, double Ms) end, int before, bool late)
    {
        var start = At(end.At - end.Ms / 1000);
        var ticks = Enumerable.Range(1, (int)Math.Round(end.Ms / 501.3)).Select(k => new GateTick(
            start.PlusMs(k * 501.2), k * 501.2 - 1, 0.06, Fired: k * 501.2 > end.Ms - 20,
            $"{k * 500}ms since dequeue, {(k == 1 ? "not >500" : k == 2 && late ? DueTick : ">500")}", Sure: true,
            k * 501.2 > end.Ms - 20 ? Basis.Observed : Basis.Inferred)).ToImmutableArray();
        return new()
        {
            Number = number, Start = start, StartBasis = Basis.Inferred, End = At(end.At), EndBasis = Basis.Observed,
            Reason = AdjustmentReason.Starvation, GoalBefore = before,
            GoalAfter = before + 1, Windows = [new(500.8, 502.9), new(1001.9, 1004.2)],
            Ticks = ticks, Verdict = late ? GapVerdict.Late : GapVerdict.Fits,
            Mechanism = Mechanism.G1GateTick, Backlog = 20 * number, Cpu = 0.06,
            Because = "The gate thread checks every 500 ms. It adds one thread when no item was dequeued for more than 500 ms. "
                + ticks.Length switch
                {
                    0 => "",
                    1 => $"The first gate check added the thread: {ticks[0].Why}.",
                    2 => $"The first gate check added no thread: {ticks[0].Why}. The second check added the thread: {ticks[1].Why}.",
                    _ => $"{ticks.Length - 1} gate checks added no thread. The last one: {ticks[^2].Why}. "
                        + $"The next check added the thread: {ticks[^1].Why}.",
                }
                + (late ? " The thread came 499 ms late." : ""),
        };
    }
}
