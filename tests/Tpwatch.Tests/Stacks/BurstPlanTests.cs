using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Stacks;

/// <summary>When depth auto takes stacks, against the recordings of programs that tell what they did.</summary>
public sealed class BurstPlanTests
{
    /// <summary>So often the watch looks, milliseconds.</summary>
    const double LookMs = 100;

    /// <summary>An episode that went on for as long leaves time to see it, milliseconds.</summary>
    const double SurelySeenMs = 4000;

    [Fact]
    public void A_budget_of_readings_allows_some_at_once_and_then_one_at_a_time()
    {
        var clock = new ManualClock();
        var budget = new ReadingBudget(clock, atOnce: 4, TimeSpan.FromSeconds(5));
        Assert.Equal(4, Taken(20));
        clock.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal(0, Taken(20));
        clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(1, Taken(20));
        clock.Advance(TimeSpan.FromMinutes(9));
        Assert.Equal(4, Taken(20));

        int Taken(int asked) => Enumerable.Range(0, asked).Count(_ => budget.TryTake());
    }

    public static TheoryData<string> Recordings => [.. TestRecordings.All];

    [Theory]
    [MemberData(nameof(Recordings))]
    public async Task Stacks_are_taken_of_what_starves_for_long_and_never_of_what_is_healthy(string name)
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
        var asked = await LooksAsync(name, BurstPlan.IsLasting);
        if (report.Episodes.Any(e => e.Kind.IsStarvation() && e.Span.Ms >= SurelySeenMs))
        {
            Assert.NotEmpty(asked);
        }
        else if (report.Verdict == Verdict.Healthy)
        {
            Assert.Empty(asked);
        }
    }

    [Fact]
    public async Task Nothing_is_taken_before_it_has_lasted()
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        var asked = await LooksAsync("pool-burst", BurstPlan.IsLasting);
        Assert.InRange(asked[0].MsSince(report.Episodes[0].Span.From), 2000, 5000);
    }

    [Fact]
    public async Task Steps_for_task_waits_that_go_on_are_trouble_too() =>
        Assert.NotEmpty(await LooksAsync("sync-over-async", BurstPlan.IsLasting));

    /// <summary>The moments of a recording at which the plan says so.</summary>
    static async Task<List<EventTime>> LooksAsync(string name, Func<CaptureSnapshot, bool> says)
    {
        await using var session = RecordedSession.Open(TestRecordings.File(name));
        var fold = new PoolFold(session.Target, session.Source);
        var (asked, next) = (new List<EventTime>(), new EventTime(0));
        var sink = fold.Sink(at =>
        {
            if (at < next)
            {
                return;
            }

            next = at.PlusMs(LookMs);
            var now = new CaptureSnapshot(fold.Timeline.Snapshot(), fold.Ledger.Snapshot(), new ReportInputs(), SessionEnd.StillOpen);
            if (says(now))
            {
                asked.Add(at);
            }
        });
        new EventDecoder(session, ProbeSet.ForRecording()).Decode(new(session.Events), sink);
        return asked;
    }
}
