using Tpwatch.Core;
using Tpwatch.Diagnosis;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Watch;
using Tpwatch.WhatIf;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Reporting;

/// <summary>
/// Whatever a stream brings, clocks that jump and numbers that cannot be included, is told and never an exception: a report stands at every
/// moment, its parts agree, and no rule of ours fails.
/// </summary>
public sealed class AnyFactsTests
{
    const int FactsPerStream = 250;

    static readonly TargetFacts[] Targets =
    [
        new() { Pid = 1, Name = "Any", RuntimeVersion = "10.0.12" },
        new() { Pid = 1, Name = "Any", RuntimeVersion = "8.0.31", Processors = new(3, SettingSource.Environment) },
        new() { Pid = 1, Name = "Any", RuntimeVersion = "99.0.0", MaxWorkers = new(5, SettingSource.Runtimeconfig) },
        new() { Pid = 1, Name = "Any" },
    ];

    [Fact]
    public void A_report_stands_at_every_moment() => ForAnySeed(seed =>
    {
        var random = new Random(seed);
        var target = Targets[random.Next(Targets.Length)];
        var fold = new PoolFold(target, SessionSource.Live);
        var all = fold.Sink();
        var at = new EventTime(random.NextInt64(1_000_000_000_000));
        all.On(new StreamOpened(at, DateTime.UnixEpoch, random.Next(0, 9)));
        for (var i = 0; i < FactsPerStream; i++)
        {
            at = at.PlusMs(StepMs(random));
            Tell(all, random, at);
            if (random.Next(80) == 0)
            {
                Check(fold.Report(SessionEnd.StillOpen));
            }
        }

        var last = fold.Report(SessionEnd.StreamBroken);
        Check(seed % 8 == 0 ? StandardWhatIfs.AddTo(last, new EstimatedItems()) : last);
        return true;
    }, tests: 60);

    static void Check(PoolReport report)
    {
        Assert.DoesNotContain(report.Undecided, u => u.Kind == MissingKind.Check);
        Assert.NotEmpty(report.Headline);
        Assert.Equal(report.Tally.Total, report.InjectionDelays.Length + report.Evicted);
        Assert.Equal(FindingRuleSet.All.Length, report.Findings.Length + report.Undecided.Length + report.Clear.Length);
        Assert.All(report.InjectionDelays, delay => Assert.NotEmpty(delay.Because));
        Assert.NotEmpty(TestRecordings.Text(report));
        Assert.NotEmpty(TestRecordings.Json(report));
    }

    /// <summary>Forward as a rule, now and then back, sometimes by hours.</summary>
    static double StepMs(Random random) => random.Next(50) switch
    {
        0 => -random.Next(20_000),
        1 => -random.Next(5_000_000),
        2 => random.Next(random.Next(10) == 0 ? 20_000_000 : 200_000),
        < 20 => random.NextDouble(),
        _ => random.NextDouble() * 900,
    };

    static void Tell(IFactSink sink, Random random, EventTime at)
    {
        switch (random.Next(16))
        {
            case 0 or 1 or 2:
                sink.On(new TargetThreadsChanged(
                at, random.Next(20), Number(random), (AdjustmentReason)random.Next(-1, 12))); break;
            case 3 or 4: sink.On(new WorkerStarted(at, random.Next(20), Number(random))); break;
            case 5: sink.On(new WorkerStopped(at, random.Next(20), Number(random))); break;
            case 6: sink.On(new WorkerWaited(at, random.Next(20), Number(random))); break;
            case 7: sink.On(new ThreadCreated(at, random.Next(20), random.Next(8))); break;
            case 8: sink.On(new ThreadBegan(at, random.Next(20), random.Next(8))); break;
            case 9: sink.On(new ThroughputSampled(at, random.NextDouble() * 1e9)); break;
            case 10: Settings(sink, random, at); break;
            case 11: Doubt(sink, random, at); break;
            default:
                sink.On(new CountersRead(at, Maybe(random, random.NextDouble() * 3000), Maybe(random, Number(random)),
                Maybe(random, (long)Number(random)), Maybe(random, (long)Number(random)), Cpu(random))); break;
        }
    }

    static void Settings(IFactSink sink, Random random, EventTime at)
    {
        sink.On(new LimitsChanged(at, random.Next(-1, 9), random.Next(-1, 40)));
        sink.On(new ProcessorsCounted(at, random.Next(0, 200)));
        sink.On(new ClockSeen(new ClockReading(
            at, random.Next(3) * 4, random.NextDouble() * 4, random.NextDouble() * 4, (ClockRegime)random.Next(5))));
        sink.On(new SwitchSeen(at, "System.Threading.ThreadPool.DisableStarvationDetection", random.Next(5) == 0));
    }

    static void Doubt(IFactSink sink, Random random, EventTime at)
    {
        sink.On(new ThreadsSuspended(at, random.NextDouble() * 10_000));
        sink.On(new ProcessSampled(new ProcessReading(at, random.Next(0, 2000), random.Next(4) == 0)));
        if (random.Next(3) == 0)
        {
            sink.On(new EventsLost(at, random.Next(3) == 0 ? null : random.Next(1000)));
            sink.On(new EventUndecodable(at, "any"));
            sink.On(new IntervalOverruled(at, "somebody else was first"));
        }
    }

    static int Number(Random random) => random.Next(12) switch { 0 => -1, 1 => int.MaxValue, 2 => 0, _ => random.Next(60) };

    static T? Maybe<T>(Random random, T value)
        where T : struct => random.Next(10) == 0 ? null : value;

    static CpuUse Cpu(Random random) => new(
        Maybe(random, random.NextDouble() * 100), random.Next(9) switch
        {
            0 =>
            null,
            1 => double.NaN,
            2 => 7,
            3 => -1,
            _ => random.NextDouble()
        });
}
