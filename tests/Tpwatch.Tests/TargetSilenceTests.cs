using Tpwatch.Capture;
using Tpwatch.Tests.Verbs;
using Tpwatch.World;

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
        Assert.Equal("no data for 5.0 s; the process is not stopped, but no heartbeat comes", TargetSilence.Of(5 * Second, stopped: false, Second)?.ToString());
        Assert.Equal("no data for 5.0 s", TargetSilence.Of(5 * Second, stopped: null, Second)?.ToString());
    }

    [Fact]
    public void Without_a_heartbeat_only_a_stop_is_worth_telling()
    {
        Assert.Null(TargetSilence.Of(3600 * Second, stopped: false, heartbeat: null));
        Assert.NotNull(TargetSilence.Of(3 * Second, stopped: true, heartbeat: null));
    }

    [Fact]
    public void Lines_tell_it_once_again_after_half_a_minute_and_when_data_comes_again()
    {
        using var error = new StringWriter { NewLine = "\n" };
        var notes = new SilenceNotes(new CommandContext(new FakeEngine(), TextWriter.Null, error, TerminalFacts.None, new QuickTime(), TestContext.Current.CancellationToken));
        foreach (var seconds in new[] { 2, 3, 4, 32 })
        {
            notes.Look(new(seconds * Second, Stopped: true));
        }

        notes.Look(null);
        notes.Look(null);
        Assert.Equal(
            "tpwatch: No data for 2.0 s; the process is stopped (T).\ntpwatch: No data for 32.0 s; the process is stopped (T).\n"
            + "tpwatch: Data comes again after 32.0 s or more.\n",
            error.ToString());
    }
}
