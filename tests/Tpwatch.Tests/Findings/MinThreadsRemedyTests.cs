using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Reporting;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Findings;

/// <summary>The stopgap gives a number for this case, never one out of the air, and is told in full once.</summary>
public sealed class MinThreadsRemedyTests
{
    /// <summary>Each life, called by what it shows, with the number that is advised for it.</summary>
    static (string Life, PoolReport Report, int? Min)[] Lives =>
    [
        ("a steady load takes what it keeps busy", Steady(), 30),
        ("where nothing ends everything that waits counts", Ask.Starving(), 120),
        ("a burst that was met late takes what ran and waited then", Ask.Starving().CounterSamples(0, 50).Pass(9000), 100),
        // As many come as end until the last second, and each worker more ends more of them.
        ("what is over and came steadily takes what it grew to", new PoolScript().Opening().CounterSample(30, 0, 8, 0.02)
            .Queues(16, 8, 30, 30, 30).Queues(20, 10, 30, 30, 30).Queues(30, 10, 0).Pass(9000), 10),
        // Callers that wait for their answers: 122 items stand behind 28 workers all the time.
        ("where as many come as end what waits counts", new PoolScript().Opening(28).CounterSample(122, 14, 28, 0.02)
            .Queues(14, 28, 122, 122, 122, 122, 122, 122), 160),
        // Two workers do all that comes, and it waits for them only because no heartbeat before it was quiet.
        ("a pool that has not grown takes twice its threads at first", new PoolScript().Opening(2).CounterSamples(0, 20).Pass(3000)
            .CounterSamples(30, 6).Pass(4000).CounterSamples(0, 36).Pass(3000), 5),
        ("hundreds of workers are not recommended",
            new PoolScript().Opening().CounterSamples(3000).Repeat(3, s => s.StarvationAfter(1001)).Pass(500), 256),
        ("none above max", Limited(20), 20),
        ("none at max", Limited(10), null),
        ("none that is there already", new PoolScript().Processors(8).Limits(300, 32767).Ramp(300)
            .GateBegins().CounterSamples(900).Repeat(3, s => s.StarvationAfter(1001)).Pass(500), null),
        ("none where stacks show that threads compute", At(null, BlockKind.Cpu), null),
        ("one at a sleep all the same", At(null, BlockKind.Sleep), 120),
        ("one each for operations in progress", InProgress(100, resumes: true), 256),
        ("none for items that begin", InProgress(100, resumes: false), 30),
        ("none for a few", InProgress(10, resumes: true), 30),
        // What lets one through at a time.
        ("none at a lock", At(Resource.Lock), null),
        ("none at a semaphore", At(Resource.Semaphore), null),
        ("none at a full channel", At(Resource.ChannelSpace), null),
        ("none at a database's pool", At(Resource.NpgsqlConnection), null),
        // What stacks leave open is a condition.
        ("one if the connections are not limited", At(Resource.HttpConnection), 120),
        ("one if loops need few threads", At(Resource.ParallelLoop), 120),
        ("one if a queued item sets the event", At(Resource.Event), 120),
    ];

    internal static IEnumerable<PoolReport> Told => Lives.Select(life => life.Report);

    [Fact]
    public void The_number_is_of_this_case_and_none_where_more_threads_do_not_help()
    {
        Assert.Equal(Lives.Select(life => (life.Life, life.Min)),
            Lives.Select(life => (life.Life, MinThreadsRemedy.Advised(life.Report))));
        Assert.All(Lives, life => Assert.Equal(life.Min is null, MinThreadsRemedy.Of(life.Report).Setting is null));
        Assert.Equal(MinThreadsRemedy.Refused, MinThreadsRemedy.Of(At(null, BlockKind.Cpu)));
        Assert.All((Resource[])[Resource.HttpConnection, Resource.ParallelLoop, Resource.Event], open => Assert.StartsWith(
            $"Workaround, {KnownResource.Of(At(open).Blockers!.Value[0]).If}: ",
            MinThreadsRemedy.Of(At(open)).Text, StringComparison.Ordinal));
    }

    [Fact]
    public void Why_it_is_that_number_is_said()
    {
        Says("(running plus queued items", Ask.Starving());
        Says("(peak of running plus queued items",
            new PoolScript().Opening(28).CounterSample(122, 14, 28, 0.02).Queues(14, 28, 124, 119));
        Says("alone: MaxThreads (10) is reached", Limited(10));
        Says("MaxThreads (probably 11) is reached", Ask.Starving().Report().Known(Unlimited) with { Verdict = Verdict.StarvedAtMax });
        Says("(helps in part; MaxThreads allows no more)", Limited(20));
        Says("(a first step; the items may need more)", InProgress(100, resumes: true));
        Says("(running plus queued items, because the end of one may admit the next", InProgress(70, resumes: true, Fewer()));
        Says("(one per operation in progress, because its end may admit the next", InProgress(95, resumes: true, Fewer()));

        static void Says(string what, PoolReport life) => Assert.Contains(what, MinThreadsRemedy.Of(life).Text, StringComparison.Ordinal);
        static PoolScript Fewer() => new PoolScript().Opening().CounterSample(20, 0, 8, 0.02).Queues(16, 8, 34, 48, 62, 76, 90);
    }

    /// <summary>The runtime refuses a min above max, so the max that it needs is said where none was seen.</summary>
    [Fact]
    public void The_max_that_the_number_needs_is_said_where_max_is_not_known()
    {
        const string needs = "MaxThreads must be at least 120.";
        Assert.Contains(needs, MinThreadsRemedy.Of(Ask.Starving().Report().Known(Unlimited)).Text, StringComparison.Ordinal);
        Assert.DoesNotContain(needs, MinThreadsRemedy.Of(Ask.Starving()).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void What_moves_by_a_few_with_each_counter_sample_stays_one_number()
    {
        Assert.Equal([5, 10, 15, 40, 50, 50, 100, 120, 200, 260], ((long[])[1, 10, 11, 40, 41, 50, 91, 101, 200, 241])
            .Select(LimitSetting.Round));
        var script = new PoolScript().Opening(28).CounterSample(122, 14, 28, 0.02).Queues(14, 28, 124);
        Assert.All((long[])[119, 110, 121, 108, 122],
            waiting => Assert.Equal(160, MinThreadsRemedy.Advised(script.Queues(14, 28, waiting).Report())));
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
    public void A_stopgap_is_told_in_full_once()
    {
        var remedies = new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3).Pass(2000).StarvationAfter(3000).Pass(900).Report()
            .Findings.SelectMany(f => f.Remedies).ToArray();

        Assert.Single(remedies, r => r.Setting?.Contains("MinWorkerThreads", StringComparison.Ordinal) == true);
        Assert.Contains(remedies, r => r.Text == "The workaround of TPW002 applies here too.");
    }

    static TargetFacts Unlimited(TargetFacts target) => target with { MaxWorkers = SourcedValue.Unknown };

    // Eight workers, sixteen items a second end: half a second each; fifty a second come.
    static PoolScript Steady() => new PoolScript().Opening().CounterSample(100, 0, 8, 0.02).Queues(16, 8, 134, 168, 202, 236, 270);

    static PoolScript Limited(int max) => new PoolScript().Processors(8).Limits(8, max).Ramp(8).GateBegins().CounterSamples(90)
        .Repeat(2, s => s.StarvationAfter(1001)).Pass(3000);

    static PoolReport At(Resource? resource, BlockKind kind = BlockKind.Wait)
    {
        Blocker one = new("Shop.Load", 0.9, 8, kind, ["Shop.Load"]);
        return Ask.Starving().Report() with { Blockers = [resource is { } known ? one with { Resource = known } : one] };
    }

    static PoolReport InProgress(int queued, bool resumes, PoolScript? life = null) => (life ?? Steady()).Report() with
    {
        Inside = new()
        {
            At = new(0), Limits = new(8, 32767, 8, 0),
            Queue = new(270, 0, 0, 0, 0)
            {
                Named = 270, Kinds = [new("Mail.Send", 270 - queued), new("async Orders.Take", queued) { Resumes = resumes }],
            },
        },
    };
}
