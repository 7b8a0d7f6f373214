using Tpwatch.Core;
using Tpwatch.Run;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Screen;

namespace Tpwatch.Tests.Verbs;

/// <summary>A replay that is moved forwards and back.</summary>
public sealed class ReplayWatchTests
{
    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Back_it_reads_anew_up_to_there_and_its_end_is_the_same()
    {
        var opened = 0;
        var file = TestRecordings.File("pool-burst");
        await using var watch = new ReplayWatch(control =>
        {
            opened++;
            return new LiveEngine().Replay(file, new() { Replay = control });
        }, 1);
        watch.Paused = true;
        watch.Seek(6000);
        await Until(() => Position(watch) > 5000);
        var selected = watch.Report().InjectionDelays[0];

        watch.Seek(3000);
        await Until(() => Position(watch) is > 2000 and < 3001);
        Assert.Equal((2, true, 1.0), (opened, watch.Paused, watch.Speed));

        watch.Seek(6000);
        await Until(() => Position(watch) > 5000);
        Assert.Equal(2, opened);
        Assert.Equal((selected.Number, selected.End), (watch.Report().InjectionDelays[0].Number, watch.Report().InjectionDelays[0].End));

        watch.Speed = null;
        watch.Paused = false;
        await watch.Completion.WaitAsync(TestRecordings.Limit, Cancel);
        Assert.True(watch.AtEnd);
        Assert.Contains(
            "copy", Assert.Throws<UserErrorException>(() => watch.SaveRetained("again.nettrace")).Hint, StringComparison.Ordinal);
        Assert.Equal(TestRecordings.Json(await TestRecordings.ReplayAsync(file)), TestRecordings.Json(watch.Report()));
    }

    [Fact]
    public async Task After_its_end_a_target_is_waited_for_by_its_name_and_watched_anew()
    {
        var next = new TaskCompletionSource<IWatch>();
        var (first, second) = (new FakeWatch([Some.Exited()], false), new FakeWatch([Some.StarvingBurst()], true));
        await using var watch = new SegmentedWatch(
            first, _ => throw new InvalidOperationException(), cancel => next.Task.WaitAsync(cancel));
        Assert.True(watch.CanWatchAgain);
        Assert.Contains("stays", watch.Again(), StringComparison.Ordinal);
        Assert.Equal(new("WAITING", "for a new OrderApi to start"), watch.Awaits);
        Assert.Contains("already", watch.Again(), StringComparison.Ordinal);

        next.SetResult(second);
        await Until(() => watch.Awaits is null && first.Disposed);
        Assert.Equal(18, Math.Round(watch.Report().Timeline.Now.MsSince(watch.Report().Timeline.Start) / 1000));
        Assert.False(watch.Completion.IsCompleted);
    }

    [Fact]
    public async Task Whoever_quits_meanwhile_leaves_nothing_behind()
    {
        var first = new FakeWatch([Some.Exited()], false);
        await using var watch = new SegmentedWatch(first, _ => throw new InvalidOperationException(), async cancel =>
        {
            await Task.Delay(Timeout.Infinite, cancel);
            return first;
        });
        watch.Again();
        await watch.StopAsync(Cancel);
        Assert.Null(watch.Awaits);
    }

    static double Position(ReplayWatch watch) => watch.Report().Timeline is var t ? t.Now.MsSince(t.Start) : 0;

    static async Task Until(Func<bool> condition)
    {
        for (var i = 0; i < 2000 && !condition(); i++)
        {
            await Task.Delay(5, Cancel);
        }

        Assert.True(condition());
    }
}
