using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Reporting;
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

    /// <summary>What a reading showed, and whether a hang may be told after it and after another like it.</summary>
    public static TheoryData<InsideReading?, bool, bool> Readings => new()
    {
        { Read(working: 6, ran: 0), true, true },
        { Read(working: 6, ran: 2), false, true },
        { null, false, true },
    };

    [Theory]
    [MemberData(nameof(Readings))]
    public void A_hang_is_told_after_a_good_reading_or_after_two(InsideReading? reading, bool afterOne, bool afterTwo)
    {
        var clock = new ManualClock();
        var plan = new HangReadingPlan(clock, null);
        var hangs = Hanging(forMs: 7000, nowMs: 8000);
        Assert.True(plan.IsUnread(hangs.Ledger));
        Assert.False(plan.IsDue(hangs, mayRead: false));
        Assert.True(plan.IsDue(hangs, mayRead: true));
        plan.Took(hangs.Timeline.Now, reading);
        Assert.Equal(afterOne, !plan.IsUnread(hangs.Ledger));
        Assert.False(plan.IsDue(hangs, mayRead: true));

        clock.Advance(HangReadingPlan.RepeatAfter);
        Assert.Equal(!afterOne, plan.IsDue(hangs, mayRead: true));
        plan.Took(hangs.Timeline.Now, reading);
        Assert.Equal(afterTwo, !plan.IsUnread(hangs.Ledger));
        Assert.False(plan.IsDue(hangs, mayRead: true));
        clock.Advance(HangReadingPlan.Again);
        Assert.True(plan.IsDue(hangs, mayRead: true));
    }

    [Theory]
    [InlineData(1, 3, false)]
    [InlineData(3, 1, true)]
    public void Of_two_readings_of_a_hang_the_better_one_is_kept(int ranFirst, int ranThen, bool isKept)
    {
        var clock = new ManualClock();
        var plan = new HangReadingPlan(clock, null);
        var (now, first, second) = (Quiet(8000).Timeline.Now, Read(working: 6, ranFirst), Read(working: 6, ranThen));
        Assert.Same(first, plan.Took(now, first));
        Assert.Equal(isKept, plan.Took(now, second) is not null);
        Assert.NotNull(plan.Took(now, Read(working: 6, ran: 5)));
    }

    [Fact]
    public void A_reading_from_before_a_hang_says_nothing_about_it()
    {
        var plan = new HangReadingPlan(new ManualClock(), null);
        var (first, second) = (Hanging(forMs: 7000, nowMs: 8000), Hanging(forMs: 5000, nowMs: 14_000));
        Assert.True(plan.IsDue(first, mayRead: true));
        plan.Took(first.Timeline.Now, Read(working: 6, ran: 0));
        Assert.False(plan.IsUnread(first.Ledger));
        Assert.True(plan.IsUnread(second.Ledger));
        Assert.True(plan.IsDue(second, mayRead: true));
    }

    [Fact]
    public void A_hang_without_a_reading_is_told_when_the_budget_has_permitted_none_for_a_minute()
    {
        var clock = new ManualClock();
        var budget = new ReadingBudget(clock, atOnce: 1, TimeSpan.FromHours(1));
        var plan = new HangReadingPlan(clock, budget);
        var hangs = Hanging(forMs: 7000, nowMs: 8000);
        Assert.True(budget.TryTake());
        Assert.False(plan.IsDue(hangs, mayRead: true));
        Assert.True(plan.IsUnread(hangs.Ledger));
        clock.Advance(HangReadingPlan.Again);
        Assert.False(plan.IsDue(hangs, mayRead: true));
        Assert.False(plan.IsUnread(hangs.Ledger));
        Assert.True(plan.IsOn);
        Assert.False(plan.IsDue(Quiet(8000), mayRead: true));
        Assert.False(plan.IsOn);
        Assert.True(plan.IsUnread(hangs.Ledger));
    }

    static InsideReading Read(int working, int ran) => new()
    {
        At = default,
        Limits = new(8, 100, working, 0),
        Running = ran,
        Waits = [new("Parcels.HandOn", "BlockingCollection.Take", working - ran) { Workers = working - ran }],
    };

    static CaptureSnapshot Quiet(double nowMs)
    {
        var script = new PoolScript().Pass(nowMs);
        var report = script.Report();
        return new(report.Timeline with { Now = script.Now },
            new() { InjectionDelays = [], Journal = [], Evicted = 0, Tally = report.Tally }, new(), SessionEnd.StillOpen);
    }

    static CaptureSnapshot Hanging(double forMs, double nowMs)
    {
        var quiet = Quiet(nowMs);
        var span = new EventSpan(quiet.Timeline.Now.PlusMs(-forMs), quiet.Timeline.Now);
        return quiet with { Ledger = quiet.Ledger with { Episodes = [new(span, Verdict.Held, Over: false, 0)] } };
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
