using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

/// <summary>The stopgap gives a number for this case, never one out of the air, and is told in full once.</summary>
public sealed class MinThreadsRemedyTests
{
    [Fact]
    public void A_steady_load_takes_what_it_keeps_busy() =>
        Assert.Contains("set MinThreads to 30 (arrival rate × time per item + 10%, rounded up)", Text(Steady()), StringComparison.Ordinal);

    [Theory]
    [InlineData(100, true, "set MinThreads to 256 (a first step; the items may need more)")]
    [InlineData(100, false, "set MinThreads to 30 (arrival rate × time per item + 10%, rounded up)")]
    [InlineData(10, true, "set MinThreads to 30 (arrival rate × time per item + 10%, rounded up)")]
    public void Operations_in_progress_each_take_a_thread(int queued, bool resumes, string advice)
    {
        var report = Steady().Report() with
        {
            Inside = new()
            {
                At = new(0),
                Limits = new(8, 32767, 8, 0),
                Queue = new(270, 0, 0, 0, 0)
                {
                    Named = 270,
                    Kinds = [new("Mail.Send", 270 - queued), new("async Orders.Take", queued) { Resumes = resumes }],
                },
            },
        };

        Assert.Contains(advice, MinThreadsRemedy.Of(report).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void What_moves_by_a_few_with_each_counter_sample_stays_one_number()
    {
        Assert.Equal([5, 10, 15, 40, 50, 50, 100, 120, 200, 260], ((long[])[1, 10, 11, 40, 41, 50, 91, 101, 200, 241])
            .Select(LimitSetting.Round));
        var script = new PoolScript().Opening(28).CounterSample(122, 14, 28, 0.02).Pass(1000).CounterSample(124, 14, 28, 0.02);
        var advised = ((long[])[119, 110, 121, 108, 122]).Select(waiting =>
            MinThreadsRemedy.Advised(script.Pass(1000).CounterSample(waiting, 14, 28, 0.02).Report())).ToArray();
        Assert.All(advised, min => Assert.Equal(160, min));
    }

    [Fact]
    public void Where_nothing_ends_everything_that_waits_counts() =>
        Assert.Contains("set MinThreads to 120 (running plus queued items, rounded up)", Text(Ask.Starving()), StringComparison.Ordinal);

    [Fact]
    public void A_burst_that_was_met_late_takes_what_ran_and_waited_then() =>
        Assert.Contains("set MinThreads to 100 (running plus queued items at attach, rounded up)",
            Text(Ask.Starving().CounterSamples(0, 50).Pass(9000)), StringComparison.Ordinal);

    [Fact]
    public void What_is_over_and_came_steadily_takes_what_it_grew_to()
    {
        // As many come as end until the last second, and each worker more ends more of them.
        var script = new PoolScript().Opening().CounterSample(30, 0, 8, 0.02);
        for (var n = 0; n < 6; n++)
        {
            script.Pass(1000).CounterSample(30, n < 3 ? 16 : 20, n < 3 ? 8 : 10, 0.02);
        }

        Assert.Contains("set MinThreads to 10 (what the pool grew to)", Text(script.Pass(1000).CounterSample(0, 30, 10, 0.02).Pass(9000)),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task No_stored_run_at_a_lock_is_advised_a_min_without_a_word_of_doubt()
    {
        var locks = TestRecordings.All.Where(name => name.StartsWith("lock-convoy", StringComparison.Ordinal)
            || name.StartsWith("semaphore", StringComparison.Ordinal)).ToArray();
        Assert.True(locks.Length >= 10);
        foreach (var name in locks)
        {
            var remedy = MinThreadsRemedy.Of(await TestRecordings.ReplayAsync(TestRecordings.File(name)));
            Assert.True(remedy.Setting is null || remedy.IsDoubtedMin, $"{name}: {remedy.Text}");
        }
    }

    [Fact]
    public async Task Completions_that_grow_with_the_workers_take_the_doubt_away() =>
        Assert.False(MinThreadsRemedy.Of(await TestRecordings.ReplayAsync(TestRecordings.File("capped-blocking"))).IsDoubtedMin);

    [Fact]
    public void Hundreds_of_workers_are_not_recommended() =>
        Assert.Contains("set MinThreads to 256 (a first step; the items may need more)",
            Text(new PoolScript().Opening().CounterSamples(3000).Repeat(3, s => s.StarvationAfter(1001)).Pass(500)),
                StringComparison.Ordinal);

    [Fact]
    public void Min_is_not_recommended_above_max()
    {
        var script = new PoolScript().Processors(8).Limits(8, 20).Ramp(8).GateBegins().CounterSamples(90)
            .Repeat(2, s => s.StarvationAfter(1001)).Pass(3000);

        Assert.Contains("set MinThreads to 20 (helps in part; MaxThreads allows no more)", Text(script),
            StringComparison.Ordinal);
    }

    [Fact]
    public void At_max_no_min_is_recommended()
    {
        var report = new PoolScript().Processors(8).Limits(8, 10).Ramp(8).GateBegins().CounterSamples(90)
            .Repeat(2, s => s.StarvationAfter(1001)).Pass(3000).Report();

        Assert.Null(MinThreadsRemedy.Of(report).Setting);
        Assert.Null(MinThreadsRemedy.Advised(report));
        Assert.StartsWith("Do not raise MinThreads alone: MaxThreads (10) is reached, and the runtime refuses a MinThreads above "
            + "MaxThreads.",
            MinThreadsRemedy.Of(report).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_as_many_come_as_end_what_waits_counts_and_not_what_there_is()
    {
        // Callers that wait for their answers: 122 items stand behind 28 workers all the time.
        var script = new PoolScript().Opening(28).CounterSample(122, 14, 28, 0.02);
        for (var n = 0; n < 6; n++)
        {
            script.Pass(1000).CounterSample(122, 14, 28, 0.02);
        }

        Assert.InRange(MinThreadsRemedy.Advised(script.Report())!.Value, 120, 160);
    }

    [Theory]
    [InlineData(Resource.Lock, "a lock")]
    [InlineData(Resource.Semaphore, "a semaphore")]
    [InlineData(Resource.ChannelSpace, "room in a channel that is full")]
    [InlineData(Resource.NpgsqlConnection, "a connection of Npgsql's connection pool")]
    public void At_what_lets_one_through_at_a_time_no_min_is_recommended(Resource resource, string what)
    {
        var report = Ask.Starving().Report() with
        {
            Blockers = [new("Shop.Load", 0.9, 8, BlockKind.Wait, ["Shop.Load"]) { Resource = resource }],
        };

        Assert.Null(MinThreadsRemedy.Advised(report));
        Assert.StartsWith($"Do not raise MinThreads: more threads would only wait for {what} (", MinThreadsRemedy.Of(report).Text,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Resource.HttpConnection, "Workaround, if MaxConnectionsPerServer is not set: set MinThreads to ")]
    [InlineData(Resource.ParallelLoop, "Workaround, if all loops together need fewer threads than that: set MinThreads to ")]
    [InlineData(Resource.Event, "Workaround, if a queued item sets the event: set MinThreads to ")]
    public void What_stacks_leave_open_is_a_condition_of_the_min(Resource resource, string begins)
    {
        var remedy = MinThreadsRemedy.Of(Ask.Starving().Report() with
        {
            Blockers = [new("Shop.Load", 0.9, 8, BlockKind.Wait, ["Shop.Load"]) { Resource = resource }],
        });

        Assert.StartsWith(begins, remedy.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_stacks_show_that_threads_compute_no_min_is_recommended()
    {
        var report = Ask.Starving().Report() with { Blockers = [new("Shop.Sum", 0.9, 8, BlockKind.Cpu, ["Shop.Sum"])] };

        Assert.Equal((null, MinThreadsRemedy.Refused), (MinThreadsRemedy.Advised(report), MinThreadsRemedy.Of(report)));
    }

    [Fact]
    public void At_a_sleep_a_min_is_recommended_all_the_same() =>
        Assert.NotNull(MinThreadsRemedy.Advised(
            Ask.Starving().Report() with { Blockers = [new("Shop.Orders.Load", 0.9, 8, BlockKind.Sleep, ["Shop.Orders.Load"])] }));

    [Fact]
    public async Task No_stored_run_is_recommended_what_is_refused_or_in_force()
    {
        foreach (var name in TestRecordings.All)
        {
            var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
            var (target, waiting) = (report.Timeline.Target, report.IsNow ? report.Timeline.Levels.QueueLength ?? 0 : 0);
            if (MinThreadsRemedy.Advised(report) is { } min)
            {
                Assert.True(!(min <= target.MinWorkers.Value) && !(min > target.MaxWorkers.Value), $"{name}: min {min}");
                Assert.True(waiting == 0 || min > report.Timeline.Levels.Workers,
                    $"{name}: min {min} while {waiting} items wait behind {report.Timeline.Levels.Workers} workers");
            }
        }
    }

    [Fact]
    public void A_min_that_is_there_already_is_not_recommended()
    {
        var script = new PoolScript().Processors(8).Limits(300, 32767).Ramp(300)
            .GateBegins().CounterSamples(900).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);

        Assert.Null(MinThreadsRemedy.Of(script.Report()).Setting);
    }

    [Fact]
    public void A_stopgap_is_told_in_full_once()
    {
        var remedies = new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3).Pass(2000).StarvationAfter(3000).Pass(900).Report()
            .Findings.SelectMany(f => f.Remedies).ToArray();

        Assert.Single(remedies, r => r.Setting?.Contains("MinWorkerThreads", StringComparison.Ordinal) == true);
        Assert.Contains(remedies, r => r.Text == "The workaround of TPW002 applies here too.");
    }

    // Eight workers, sixteen items a second end: half a second each; fifty a second come.
    static PoolScript Steady()
    {
        var script = new PoolScript().Opening().CounterSample(100, 0, 8, 0.02);
        foreach (var queueLength in (long[])[134, 168, 202, 236, 270])
        {
            script.Pass(1000).CounterSample(queueLength, 16, 8, 0.02);
        }

        return script;
    }

    static string Text(PoolScript script) => MinThreadsRemedy.Of(script.Report()).Text;
}
