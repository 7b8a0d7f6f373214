using System.Collections.Immutable;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.WhatIf;
using Tpwatch.Wording;
using static Tpwatch.Tests.WhatIf.Worlds;

namespace Tpwatch.Tests.WhatIf.Study;

/// <summary>What is offered follows from the cause, and what is not known is not answered.</summary>
public sealed class StandardChangesTests
{
    [Theory]
    [InlineData("cpu-bound", "4 processors")]
    [InlineData("cpu-bound.late", "4 processors")]
    [InlineData("ceiling", "MinThreads 100, MaxThreads 100|async instead of blocking")]
    [InlineData("pool-burst", "MinThreads 30|async instead of blocking")]
    [InlineData("lock-convoy-hold-100", "async instead of blocking")]
    public async Task What_is_offered_follows_from_the_cause(string name, string changes) =>
        Assert.Equal(changes, string.Join('|', Offered(await ReportAsync(name))));

    [Theory]
    [InlineData("sync-over-async")]
    [InlineData("web-sync-over-async")]
    public async Task Task_waits_are_offered_async_first(string name) =>
        Assert.Equal("async instead of blocking", Offered(await ReportAsync(name)).First());

    [Fact]
    public void Items_at_a_lock_get_a_worse_bound_that_more_threads_do_not_move()
    {
        // Forty items, each of which holds one lock for 250 ms: ten seconds, whatever min is.
        var settings = new PoolSettings(4, 4, 1_000);
        var options = new SimulationOptions(settings, At(3_600_000)) { ServiceMs = 250 };
        var run = PoolSimulator.Of(new PortablePolicy(GateClock.LinuxMeasured), options,
            [.. Enumerable.Repeat(new SimulatedItem(At(5_000), 0, 250), 40)]);
        Assert.Equal(10_000, run.TotalMs!.Value, 50.0);

        var study = WhatIfStudy.Of(PlayedRun.Report(run, settings), new EstimatedItems(), out _)!;
        foreach (var change in (WhatIfChange[])[new() { Min = 40 }, new() { Async = true }])
        {
            var answer = study.Answer(change);
            var worse = (answer.Worst ?? answer.Simulated).TotalMs;
            Assert.True(answer.Unknown is not null || worse is >= 8_500 and <= 11_500, $"{change.Words}: {worse} ms");
        }

        Assert.Null(study.Answer(new() { Min = 40 }).Unknown);
    }

    [Theory]
    [InlineData("pool-burst", true)]
    [InlineData("trickle", false)]
    public async Task Two_bounds_are_told_unless_completions_grew_with_the_workers(string name, bool known)
    {
        var answer = WhatIfStudy.Of(await ReportAsync(name), new EstimatedItems(), out _)!.Answer(new() { Min = 40 });

        Assert.Equal(known, answer.Worst is null);
        Assert.Equal(known, !WhatIfWords.Times(answer).Contains("If the items share a bottleneck", StringComparison.Ordinal));
        Assert.True(known || answer.Worst!.LatencyMs > answer.Simulated.LatencyMs);
    }

    [Fact]
    public async Task Items_that_wait_for_processors_wait_for_no_other_resource()
    {
        var report = await ReportAsync("trickle") with { Verdict = Verdict.Saturated };
        var answer = WhatIfStudy.Of(report, new EstimatedItems(), out _)!.Answer(new() { Processors = 16 });

        Assert.Null(answer.Worst);
        Assert.Contains(answer.Remarks, remark => remark.StartsWith("Items wait for processors", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("trickle", true)]
    [InlineData("pool-burst", false)]
    public async Task A_report_tells_one_mean_of_what_an_item_takes(string name, bool found)
    {
        var report = StandardWhatIfs.AddTo(await ReportAsync(name), new EstimatedItems());

        Assert.Equal(found, report.Findings.Any(f => f.Evidence.Any(e => e.Text.StartsWith("Mean time", StringComparison.Ordinal))));
        Assert.All(report.WhatIf, effect =>
            Assert.Matches(found ? "hold a thread equally long " : @"hold a thread for \d", effect.Basis));
    }

    [Fact]
    public async Task What_misses_what_was_seen_is_no_answer()
    {
        foreach (var (name, answer) in await Stored.Value)
        {
            Assert.True(answer.Unknown is not null || answer.ErrorShare <= 0.15, $"{name}: {answer.ErrorShare} off and yet an answer");
            Assert.DoesNotContain("unknown instead of", WhatIfWords.Times(answer), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Where_nothing_ended_there_is_no_answer_and_one_line_says_so()
    {
        var report = StandardWhatIfs.AddTo(await ReportAsync("deadlock"), new EstimatedItems());

        Assert.NotEmpty(report.WhatIf);
        Assert.All(report.WhatIf, w => Assert.Contains("No item completed", w.Unknown, StringComparison.Ordinal));
        Assert.Single(Tpwatch.Text.WhatIfRenderer.Section(report), line =>
            line.Contains("No item completed", StringComparison.Ordinal));
    }

    [Fact]
    public void Items_that_never_start_belong_into_the_mean()
    {
        var run = PoolSimulator.Of(new PortablePolicy(GateClock.LinuxMeasured), new(new(2, 2, 6), At(20_000)),
            [.. Enumerable.Repeat(new SimulatedItem(At(0), 0, double.PositiveInfinity), 400)]);
        var figures = run.Figures(At(20_000));

        Assert.Equal(394, figures.NeverStarted);
        Assert.True(figures.StartDelayMs > 19_000, $"mean queue time {figures.StartDelayMs} ms");
        Assert.True(run.Figures().StartDelayMs > 1_000, "without an end of the capture they count until the run's own");
    }

    static IEnumerable<string> Offered(PoolReport report) =>
        StandardWhatIfs.Offered(report, report.Timeline.Target.Processors.Value!.Value).Select(c => c.Words);

    /// <summary>The answers of all stored recordings, which take seconds.</summary>
    internal static readonly Lazy<Task<ImmutableArray<(string Recording, WhatIfAnswer Answer)>>> Stored = new(async () =>
    {
        var all = ImmutableArray.CreateBuilder<(string, WhatIfAnswer)>();
        foreach (var name in TestRecordings.All)
        {
            all.AddRange(StandardWhatIfs.Answers(await ReportAsync(name), new EstimatedItems()).Select(answer => (name, answer)));
        }

        return all.DrainToImmutable();
    });

    static Task<PoolReport> ReportAsync(string name) => TestRecordings.ReplayAsync(TestRecordings.File(name));
}
