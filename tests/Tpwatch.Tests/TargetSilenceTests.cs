using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Tests.Verbs;
using Tpwatch.Watch;

namespace Tpwatch.Tests;

public sealed class TargetSilenceTests
{
    static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Fact]
    public void A_stopped_target_is_told_sooner_than_one_that_is_late()
    {
        Assert.Null(TargetSilence.Of(1.9 * Second, stopped: true, Second));
        Assert.Equal("no data for 2.0 s; the process is stopped (T)", TargetSilence.Of(2 * Second, stopped: true, Second)?.ToString());
        Assert.Null(TargetSilence.Of(4.9 * Second, stopped: false, Second));
        Assert.Equal("no data for 5.0 s; the process is not stopped, but sends no counter samples",
            TargetSilence.Of(5 * Second, stopped: false, Second)?.ToString());
        Assert.Equal("no data for 5.0 s", TargetSilence.Of(5 * Second, stopped: null, Second)?.ToString());
    }

    [Fact]
    public void Without_a_heartbeat_only_a_stop_is_worth_telling()
    {
        Assert.Null(TargetSilence.Of(3600 * Second, stopped: false, counterSample: null));
        Assert.NotNull(TargetSilence.Of(3 * Second, stopped: true, counterSample: null));
    }

    [Fact]
    public void Behind_a_slower_listener_a_target_is_silent_only_when_that_ones_heartbeats_do_not_come()
    {
        Assert.Equal(Second, TargetSilence.Due(Second, Seen(null, 0)));
        Assert.Equal(10 * Second, TargetSilence.Due(Second, Seen(10_000, 0)));
        Assert.Equal(10 * Second, TargetSilence.Due(Second, Seen(null, 0, 10_000, 20_000)));
        Assert.Null(TargetSilence.Of(11 * Second, stopped: false, TargetSilence.Due(Second, Seen(10_000, 0))));
        Assert.Null(TargetSilence.Due(asked: null, Seen(10_000, 0)));
    }

    [Fact]
    public void One_heartbeat_that_came_late_does_not_put_the_next_silence_off() =>
        Assert.Equal(Second, TargetSilence.Due(Second, Seen(null, 0, 1000, 41_000)));

    [Fact]
    public void Lines_tell_it_once_again_after_half_a_minute_and_when_data_comes_again()
    {
        using var error = new StringWriter { NewLine = "\n" };
        var notes = new SilenceNotes(new CommandContext(
            new FakeEngine(), TextWriter.Null, error, TerminalFacts.None, new QuickTime(), TestContext.Current.CancellationToken));
        foreach (var seconds in new[] { 2, 3, 4, 32 })
        {
            notes.Look(new(seconds * Second, Stopped: true));
        }

        notes.Look(null);
        notes.Look(null);
        Assert.Equal(
            "tpwatch: No data for 2.0 s; the process is stopped (T).\ntpwatch: No data for 32.0 s; the process is stopped (T).\n"
            + "tpwatch: The process sends data again, after 32.0 s or more.\n",
            error.ToString());
    }

    static TimelineSnapshot Seen(double? imposedMs, params double[] samples)
    {
        var fold = new PoolFold(new TargetFacts { Pid = 1, Name = "a" }, SessionSource.Live);
        if (imposedMs is not null)
        {
            fold.Sink().On(new IntervalOverruled(default, "somebody was there first") { IntervalMs = imposedMs });
        }

        for (var i = 0; i < samples.Length; i++)
        {
            fold.Sink()
                .On(new CountersRead(
                    default(EventTime).PlusMs(samples[i]), i == 0 ? null : samples[i] - samples[i - 1], 4, 0, 0, new(null, null)));
        }

        return fold.Timeline.Snapshot();
    }
}
