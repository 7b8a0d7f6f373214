using Tpwatch.Core;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Screen;

/// <summary>Reports that are neither healthy nor starving.</summary>
static partial class Some
{
    /// <summary>Work comes and goes, hill climbing tries its numbers, and nothing waits.</summary>
    public static PoolReport Healthy()
    {
        var report = Report(18, i => BurstBucket(Math.Min(3.4, i * 0.05 % 3.4), []));
        return report with
        {
            Headline = "The thread pool is not the problem. In 18.0 s, tpwatch saw no work item wait a second or more.",
            InjectionDelays = [.. Found().InjectionDelays.Where(g => g.Reason == AdjustmentReason.ClimbingMove)],
            Findings = [.. Found().Findings.Where(f => f.Id == "TPW012")],
            Clear = ["TPW001", "TPW002", "TPW003", "TPW005", "TPW006", "TPW009"],
            Timeline = report.Timeline with
            {
                CounterSamples = [.. Enumerable.Range(1, 35).Select(i => new CounterSample(At(i * 0.5), 500, 8, 0, 210, 0.44))],
            },
        };
    }

    /// <summary>Task waits, compensated one step at a time, and withdrawn at the end.</summary>
    public static PoolReport Compensated()
    {
        const string Step = "The pool adds one thread at a time for task waits. After 8 of them each takes 250 ms.";
        var delays = Enumerable.Range(1, 6).Select(n => Injection(n, (2 + n * 0.25, 250), 7 + n, late: false) with
        {
            Reason = AdjustmentReason.CooperativeBlocking,
            Windows = [new(245, 262)],
            Ticks = [],
            Mechanism = Mechanism.G4CooperativeStep,
            QueueLength = 0,
            Cpu = 0.44,
            Because = Step,
        }).Append(Injection(7, (6, 250), 14, late: false) with
        {
            Reason = AdjustmentReason.CooperativeBlocking,
            TargetThreadsBefore = 14,
            TargetThreadsAfter = 8,
            Start = null,
            StartBasis = Basis.Unknown,
            Windows = [],
            Ticks = [],
            Verdict = DelayVerdict.NotTimed,
            Mechanism = Mechanism.G4CooperativeStep,
            QueueLength = 0,
            Cpu = 0.44,
            Because = "The task waits are over, and so is the compensation.",
        });
        return Report(8, i => BurstBucket(0, []) with
        {
            WorkersMin = Raised(i),
            WorkersMax = Raised(i),
            TargetThreads = i < 120 ? Raised(i) : 8,
        }) with
        {
            InjectionDelays = [.. delays],
            Verdict = Verdict.Compensated,
            Since = At(2),
            Headline = "The pool added 6 threads for task waits, and that was enough.",
        };
    }

    // A thread more every quarter of a second; those that are there stay for a while.
    static int Raised(int bucket) => 8 + Math.Clamp(bucket / 5 - 8, 0, 6);

    /// <summary>Starving right now, with the moments at which the next worker may come.</summary>
    public static PoolReport Waiting()
    {
        var (burst, last) = (StarvingBurst(12.2), StarvingBurst(12.2).InjectionDelays[^1]);
        var open = new InjectionDelay
        {
            Number = last.Number + 1, Start = last.End, StartBasis = Basis.Observed,
            End = At(12.19), EndBasis = Basis.Observed, TargetThreadsBefore = last.TargetThreadsAfter,
            TargetThreadsAfter = last.TargetThreadsAfter, Windows = [new(997, 1017), new(1498, 1518)],
            Verdict = DelayVerdict.Open, Mechanism = Mechanism.G1GateTick, QueueLength = 157, Cpu = 0.06,
            Because = "Items still wait. Unless an item is dequeued first, one of the next gate checks adds a thread.",
        };
        return burst with { InjectionDelays = burst.InjectionDelays.Add(open) };
    }

    /// <summary>The same with what the forecast says of it.</summary>
    public static PoolReport Foretold() => Waiting() with
    {
        Forecast = new()
        {
            At = At(12.19), QueueEmpty = new(null, Never: true, "18/s arrive and 1/s complete."),
            NextInjection = new(
                At(12.618), [new(At(12.614), At(12.63))], Mechanism.G1GateTick, "unless an item is dequeued first", Sure: true),
            StartDelayOfNewItem = new(
                At(12.19), 98_000, 174_000, 141_000,
                "Ahead of a new item: 157 items. Busy worker threads: 16. An item holds its thread for 10 s to 18 s."),
        },
    };

    /// <summary>Completions just frequent enough that the detector sleeps: no adjustment at all.</summary>
    public static PoolReport Undetected()
    {
        var report = Report(18, i => new(8, 8, 8, i < 60 ? 0 : Math.Min(390, (i - 60) * 2), i < 60 ? 300 : 2.5f, 0.03f, false)) with
        {
            Verdict = Verdict.SilentlyStarved,
            IsNow = true,
            StarvedMs = 15000,
            Since = At(3),
            Headline = "An item has waited at least 11.2 s, but starvation detection does not trigger: 2.5 items a second still complete.",
            Episodes = [new(new(At(3), At(18)), Verdict.SilentlyStarved, Over: false, 11200)],
            Findings =
            [
                new("TPW003", "Undetected starvation (SILENTLY STARVED)", Severity.Serious, Confidence.High, At(3), At(18),
                    "Work items wait for seconds, and the pool adds no thread for them. "
                        + "Meanwhile, items are dequeued at least every 500 ms, so starvation detection does not trigger.",
                    [], [Some.FindTheCall()]),
            ],
            InjectionDelays =
            [
                new()
                {
                    Number = 1, Start = At(6.8), StartBasis = Basis.Inferred,
                    End = At(17.98), EndBasis = Basis.Inferred, Verdict = DelayVerdict.Open,
                    Mechanism = Mechanism.G3Undetected, QueueLength = 390, Cpu = 0.03,
                    Because = "An item has waited at least 11.2 s. Items still complete so often that starvation detection "
                        + "does not trigger: it needs more than 500 ms without a dequeue.",
                },
            ],
        };
        return report;
    }

    /// <summary>The burst with a stretch in which events were lost.</summary>
    public static PoolReport Lossy()
    {
        var report = StarvingBurst();
        var span = new EventSpan(At(9.8), At(10.9));
        var buckets = Enumerable.Range(0, 360).Select(i => report.Timeline.Buckets[i])
            .Select((b, i) => i * 0.05 >= 9.8 && i * 0.05 < 10.9 ? Bucket.Unknown with { Lost = true } : b).ToList();
        return report with
        {
            Timeline = report.Timeline with
            {
                Buckets = BucketSeries.Of(Start, buckets),
                Quality = report.Timeline.Quality with { Lost = 1284, LossSpans = [span] },
            },
            InjectionDelays = [.. report.InjectionDelays.Select(g => g.End > span.From && g.Start < span.To
                ? g with
                {
                    Verdict = DelayVerdict.NoData,
                    Windows = [],
                    Ticks = [],
                    Because = "Events were lost in that time, so tpwatch does not judge the delay.",
                } : g)],
        };
    }
}
