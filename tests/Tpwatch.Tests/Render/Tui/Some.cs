using System.Collections.Immutable;
using Tpwatch.Attach;
using Tpwatch.Events.Facts;
using Tpwatch.Explain;
using Tpwatch.Explain.Forecast;
using Tpwatch.Explain.Gaps;
using Tpwatch.Timeline;

namespace Tpwatch.Tests.Render.Tui;

/// <summary>Reports as an engine would make them, for tests of what is drawn.</summary>
internal static class Some
{
    public static readonly EventTime Start = new(7_000_000_000_000);

    static readonly DateTime StartUtc = new(2026, 11, 21, 2, 29, 6, DateTimeKind.Utc);

    public static TargetFacts Target { get; } = new()
    {
        Pid = 41822, Name = "OrderApi", RuntimeVersion = "10.0.1", Os = "Linux", Architecture = "x64",
        Processors = new(8, SettingSource.Event), MinWorkers = new(8, SettingSource.Default), MaxWorkers = new(32767, SettingSource.Default),
    };

    /// <summary>Nothing but a capture that goes on: no event, no heartbeat yet.</summary>
    public static PoolReport Empty(double seconds = 7) => Report(seconds, _ => new(8, 8, 8, -1, float.NaN, float.NaN, false)) with
    {
        Verdict = Verdict.Undecided,
        Headline = "Nothing was seen that waited for a worker; without a heartbeat the backlog is not known.",
    };

    /// <summary>Attached late to a runtime that says nothing of its limits, without a heartbeat.</summary>
    public static PoolReport Unknown()
    {
        var report = Empty();
        var target = Target with { MinWorkers = SourcedValue.Unknown, MaxWorkers = SourcedValue.Unknown, Processors = SourcedValue.Unknown, RuntimeVersion = null };
        return report with
        {
            Timeline = report.Timeline with
            {
                Target = target, Levels = new(null, null, null, null, null),
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
            Verdict = Verdict.Starved, IsNow = seconds < 14.6,
            StarvedMs = Math.Max(0, Math.Min(seconds, 14.6) - 3.5) * 1000,
            Since = At(3.5),
            Headline = "The pool starved: items waited up to 6.1 s while all 8 to 18 workers were blocked. It is over.",
            Episodes = [new(new(At(3.5), At(14.6)), Verdict.Starved, Over: seconds >= 14.6, 6100)],
            Findings =
            [
                new("TPW001", "Starvation", Severity.Serious, Confidence.High, At(3.5), At(14.6),
                    "10 workers were injected one gate tick at a time while up to 165 items waited.", [], [new("Find what blocks the workers.")]),
            ],
        };
        return report with { Timeline = report.Timeline with { Levels = Last(report.Timeline.Buckets) } };
    }

    /// <summary>The burst with findings as the rules phrase them, one undecided and some clear.</summary>
    public static PoolReport Found() => StarvingBurst() with
    {
        Findings =
        [
            new("TPW001", "Starvation by blocking the pool cannot see", Severity.Serious, Confidence.High, At(3.5), At(14.6),
                "10 workers had to be added by the gate, one a tick of 500 ms at best, while work waited.",
                [
                    new("Injections with reason Starvation", 10, "injections", "event 55"), new("of them at a moment the rule allows", 9, "of 10 timed", "gap ledger"),
                    new("Mean wait for a worker", 1003, "ms", "event 55"), new("Largest backlog", 163, "items", "heartbeat"),
                ],
                [
                    new("Find the call that blocks the workers (locks, semaphores, sleeps, synchronous I/O; dotnet-stack shows it) and await it instead."),
                    new("Stopgap until then: let the pool start with 18 workers, to which it grew (more of them hold more memory and only move the wall)",
                        "DOTNET_ThreadPool_ForceMinWorkerThreads=12 (hexadecimal), or \"System.Threading.ThreadPool.MinThreads\": 18 in runtimeconfig.json, or ThreadPool.SetMinThreads(18, …)"),
                ]),
            new("TPW012", "Hill climbing moves the goal", Severity.Note, Confidence.Medium, At(0.9), At(16.4),
                "3 moves of hill climbing by one worker each: harmless, it tries all the time.", [new("Moves", 3, "moves", "event 55")], [new("Nothing to do.")]),
        ],
        Undecided = [new("TPW009", "events of single items: how long each ran")],
        Clear = ["TPW002", "TPW003", "TPW005", "TPW006"],
    };

    /// <summary>Task waits, compensated one step at a time, and withdrawn at the end.</summary>
    public static PoolReport Compensated()
    {
        const string Step = "Task waits are compensated by one worker a step; the step after 8 of them takes 250 ms.";
        var gaps = Enumerable.Range(1, 6).Select(n => Injection(n, (2 + n * 0.25, 250), 7 + n, late: false) with
        {
            Reason = AdjustmentReason.CooperativeBlocking, Windows = [new(245, 262)], Ticks = [], Rule = GapRule.G4CooperativeStep, Because = Step,
        }).Append(Injection(7, (6, 250), 14, late: false) with
        {
            Reason = AdjustmentReason.CooperativeBlocking, GoalBefore = 14, GoalAfter = 8, Start = null, StartBasis = Basis.Unknown, Windows = [], Ticks = [],
            Verdict = GapVerdict.NotTimed, Rule = GapRule.G4CooperativeStep, Because = "The task waits are over, and so is the compensation.",
        });
        return Report(8, i => BurstBucket(0, []) with { Goal = i < 45 ? 8 : i < 120 ? 14 : 8 }) with
        {
            Gaps = [.. gaps], Verdict = Verdict.Compensated, Since = At(2), Headline = "Task waits were compensated by 6 workers, and that sufficed.",
        };
    }

    /// <summary>Starving right now, with the moments at which the next worker may come.</summary>
    public static PoolReport Waiting()
    {
        var (burst, last) = (StarvingBurst(12.2), StarvingBurst(12.2).Gaps[^1]);
        var open = new Gap
        {
            Number = last.Number + 1, Start = last.End, StartBasis = Basis.Observed, End = At(12.19), EndBasis = Basis.Observed, GoalBefore = last.GoalAfter,
            GoalAfter = last.GoalAfter, Windows = [new(997, 1017), new(1498, 1518)], Verdict = GapVerdict.Open, Rule = GapRule.G1GateTick, Backlog = 160, Cpu = 0.06,
            Because = "If nothing is dequeued before, the next worker comes 1.0 s or 1.5 s after the last injection.",
        };
        return burst with { Gaps = burst.Gaps.Add(open) };
    }

    /// <summary>The same with what the forecast says of it.</summary>
    public static PoolReport Foretold() => Waiting() with
    {
        Forecast = new()
        {
            At = At(12.19), Score = ForecastScore.None, BacklogGone = new(null, Never: true, "18/s arrive, 1/s are taken."),
            NextInjection = new(At(12.618), [new(At(12.614), At(12.63))], GapRule.G1GateTick, "if nothing is dequeued before", Sure: true),
            StartDelayOfNewItem = new(At(12.19), 98_000, 174_000, 141_000, "157 items before it, 16 workers at work, an item holds its worker 10 s to 18 s"),
        },
    };

    /// <summary>Completions just frequent enough that the detector sleeps: no adjustment at all.</summary>
    public static PoolReport Silent()
    {
        var report = Report(18, i => new(8, 8, 8, i < 60 ? 0 : Math.Min(390, (i - 60) * 2), i < 60 ? 300 : 2.5f, 0.03f, false)) with
        {
            Verdict = Verdict.SilentlyStarved, IsNow = true, StarvedMs = 15000, Since = At(3),
            Headline = "The pool starves in silence: some item has waited 11.2 s, while 2.5 completions a second keep the detector asleep.",
            Episodes = [new(new(At(3), At(18)), Verdict.SilentlyStarved, Over: false, 11200)],
            Gaps =
            [
                new()
                {
                    Number = 1, Start = At(6.8), StartBasis = Basis.Inferred, End = At(17.98), EndBasis = Basis.Inferred, Verdict = GapVerdict.Open,
                    Rule = GapRule.G3Silent, Backlog = 390, Cpu = 0.03,
                    Because = "390 items wait and 2.5 complete a second: at every tick something was dequeued less than 500 ms ago, so the gate adds nobody.",
                },
            ],
        };
        return report with { Timeline = report.Timeline with { Levels = Last(report.Timeline.Buckets) } };
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
            Gaps = [.. report.Gaps.Select(g => g.End > span.From && g.Start < span.To
                ? g with { Verdict = GapVerdict.NoData, Windows = [], Ticks = [], Because = "Events were lost inside this gap; it is not judged." } : g)],
        };
    }

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
                Target = Target, Source = SessionSource.Live, Start = Start, StartUtc = StartUtc, Now = At(seconds - 0.01), Levels = Last(buckets),
                Buckets = buckets, Heartbeats = [], Quality = new(2_400, 0, false, 0, At(seconds), [], []),
            },
            Gaps = [], Journal = [], Evicted = 0, Adjustments = ImmutableSortedDictionary<AdjustmentReason, int>.Empty,
            Tally = new(0, 0, 0, 0, 0, 0, 0, 0), Episodes = [], Verdict = Verdict.Healthy, Headline = "Nothing waited for a worker for long.",
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
        GoalBefore = before, GoalAfter = after, Verdict = GapVerdict.NotTimed, Rule = GapRule.G11Probing,
        Because = "Hill climbing tries another number of workers; it follows completed work, not a clock.",
    };

    static Gap Injection(int number, (double At, double Ms) end, int before, bool late)
    {
        var start = At(end.At - end.Ms / 1000);
        var ticks = Enumerable.Range(1, (int)Math.Round(end.Ms / 501.3)).Select(k => new GateTick(
            start.PlusMs(k * 501.2), k * 501.2 - 1, 0.06, Fired: k * 501.2 > end.Ms - 20,
            k * 501.2 > end.Ms - 20 ? $"{k * 500}ms since dequeue, >500" : "500ms since dequeue, not >500", Sure: true,
            k * 501.2 > end.Ms - 20 ? Basis.Observed : Basis.Inferred)).ToImmutableArray();
        return new()
        {
            Number = number, Start = start, StartBasis = Basis.Inferred, End = At(end.At), EndBasis = Basis.Observed,
            Reason = AdjustmentReason.Starvation, GoalBefore = before, GoalAfter = before + 1, Windows = [new(500.8, 502.9), new(1001.9, 1004.2)],
            Ticks = ticks, Verdict = late ? GapVerdict.Late : GapVerdict.Fits, Rule = GapRule.G1GateTick, Backlog = 20 * number, Cpu = 0.06,
            Because = $"Nothing was dequeued for more than 500 ms (cpu 6% < 80%), so the gate added one worker at tick {ticks.Length}; tick 1 came at 500 ms, which is not more than 500.",
        };
    }
}
