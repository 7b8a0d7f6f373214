using Tpwatch.Core;

namespace Tpwatch.Tests.Replay;

/// <summary>A replay that is steered: whatever is done with it, its end is the same.</summary>
public sealed class ReplayControlTests
{
    static readonly string Source = TestRecordings.File("pool-burst");

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Paused_it_stands_where_it_was_told_to_run_to_and_goes_on_from_there()
    {
        var control = new ReplayControl(1) { RunToMs = 3000, Paused = true };
        await using var watch = ThreadPoolWatch.Replay(Source, new() { Replay = control });
        await Until(() => Position(watch) > 2000);
        await Task.Delay(120, Cancel);
        var stands = Position(watch);
        Assert.InRange(stands, 2000, 3000);
        await Task.Delay(120, Cancel);
        Assert.Equal(stands, Position(watch));

        control.RunToMs = 6000;
        await Until(() => Position(watch) > 5000);
        Assert.InRange(Position(watch), 5000, 6000);
        Assert.False(watch.Completion.IsCompleted);
    }

    [Fact]
    public async Task Paused_sped_up_and_moved_it_ends_with_the_same_report()
    {
        var expected = await TestRecordings.ReplayAsync(Source);
        var control = new ReplayControl(0.5);
        await using var watch = ThreadPoolWatch.Replay(Source, new() { Replay = control });
        control.RunToMs = 2500;
        await Until(() => Position(watch) > 2000);
        control.Paused = true;
        control.Speed = 100;
        control.Paused = false;
        await Until(() => Position(watch) > 4000);
        control.RunToMs = 8000;
        control.Speed = null;
        await watch.Completion.WaitAsync(TestRecordings.Limit, Cancel);

        Assert.Equal(TestRecordings.Json(expected), TestRecordings.Json(watch.Report()));
        Assert.Equal(TestRecordings.Lines(expected), TestRecordings.Lines(watch.Report()));
    }

    [Fact]
    public async Task A_replay_that_is_paused_can_be_stopped()
    {
        await using var watch = ThreadPoolWatch.Replay(Source, new() { Replay = new(1) { Paused = true } });
        await watch.StopAsync(Cancel);
        await watch.Completion.WaitAsync(TestRecordings.Limit, Cancel);
    }

    [Fact]
    public async Task What_is_forgotten_is_in_no_later_report_and_what_comes_after_is()
    {
        var control = new ReplayControl(1) { RunToMs = 5000, Paused = true };
        await using var watch = ThreadPoolWatch.Replay(Source, new() { Replay = control });
        await Until(() => Position(watch) > 4000 && watch.Report().InjectionDelays.Length > 0);
        var before = watch.Report();
        watch.Forget();
        Assert.Empty(watch.Report().InjectionDelays.Where(g => g.End <= before.Timeline.Now));
        Assert.Equal(before.Timeline.Now, watch.Report().Timeline.Now);
        control.Speed = null;
        control.Paused = false;
        await watch.Completion.WaitAsync(TestRecordings.Limit, Cancel);

        var whole = await TestRecordings.ReplayAsync(Source);
        var after = watch.Report();
        Assert.Equal(whole.InjectionDelays.Where(g => g.End > before.Timeline.Now).Select(g => g.Number), after.InjectionDelays
            .Select(g => g.Number));
        Assert.Equal(after.InjectionDelays.Length, after.Tally.Total);
        Assert.True(after.Timeline.Buckets.TimeOf(after.Timeline.Buckets.FirstIndex) >= before.Timeline.Now.PlusMs(-50));
        Assert.All(after.Episodes, e => Assert.True(e.Span.From >= before.Timeline.Now));
    }

    static double Position(ThreadPoolWatch watch) => watch.Report().Timeline is var t ? t.Now.MsSince(t.Start) : 0;

    static async Task Until(Func<bool> condition)
    {
        for (var i = 0; i < 2000 && !condition(); i++)
        {
            await Task.Delay(5, Cancel);
        }

        Assert.True(condition());
    }
}
