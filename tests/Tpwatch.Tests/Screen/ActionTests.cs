using Tpwatch.Cli;
using Tpwatch.Lab.Pictures;
using Tpwatch.Reports;
using Tpwatch.Screen.Commands;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Screen;

/// <summary>Keys and commands that ask something of whoever observes.</summary>
public sealed class ActionTests
{
    /// <summary>Every key of the design's table.</summary>
    static readonly string[] Table =
    [
        "1", "2", "3", "4", "5", "6", "space", "f", "left", "right", "[", "]", "n", "N",
        "h", "l", "g", "G", "+", "-", "=", "z", "m", "enter", "esc", "/", ":", "t", "w", "o",
        "c", "v", "u", "p", "d", "b", "a", "x", "i", "L", "R", "y", "s", "e", "P", ",", ".", "?", "F5", "q", "ctrl+c", "ctrl+d",
    ];

    [Fact]
    public void Every_key_of_the_table_means_something_somewhere() =>
        Assert.All(
            Table, key => Assert.Contains(Enum.GetValues<ViewName>(), view => Bindings.Of(HeadlessScreen.ToKey(key), view) is not null));

    [Fact]
    public void Every_help_text_fits_into_its_column() => Assert.All(Bindings.All, b => Assert.InRange(b.Help.Length, 1, 30));

    [Fact]
    public async Task What_if_is_chosen_with_two_keys_laid_over_the_lanes_and_taken_away_by_escape()
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        var frames = ScreenScript.Of(report, 100, 30).With(new() { Imagine = WhatIfRunner.Of })
            .Press("w").Expect("what if the same work items ran with other settings?").Expect("> 1 MinThreads ")
            .Press("1").Ticks(1).Expect("what if MinThreads ").Expect("Effect").Expect("items complete after")
            .Press("esc").Expect("esc removes simulation").Expect("* most")
            .Press("2").ExpectNot("esc removes simulation").Press("1").Expect("esc removes simulation")
            .Press("esc").ExpectNot("esc removes simulation").ExpectNot("* most").Run().Frames;
        Assert.Contains(frames,
            f => Lane(f, "threads").Contains('*', StringComparison.Ordinal) && Lane(f, "queue").Contains('*', StringComparison.Ordinal));
        Assert.Equal(frames[0].ToString(), frames[^1].ToString());
    }

    [Theory]
    [InlineData("whatif min 50", "what if MinThreads 50")]
    [InlineData("whatif async", "what if async instead of blocking")]
    [InlineData("whatif max 10 min 4", "what if MinThreads 4, MaxThreads 10")]
    [InlineData("whatif clr35", "the pool of")]
    [InlineData("whatif processors 2", "what if 2 processors")]
    [InlineData("whatif min 0", "is not a change")]
    [InlineData("whatif 3", "is not a change")]
    [InlineData("whatif", "Which change? Write one or more of 'min 50'")]
    [InlineData("whatif min 50 max 10", "cannot be simulated: ")]
    public async Task Any_change_can_be_typed(string command, string expected)
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        ScreenScript.Of(report, 100, 30).With(new() { Imagine = WhatIfRunner.Of })
            .Press(":").Type(command).Press("enter").Ticks(1).Expect(expected).Run();
    }

    [Fact]
    public void What_cannot_be_imagined_says_why() => ScreenScript.Of(Some.Empty(), 100, 30).With(new() { Imagine = WhatIfRunner.Of })
        .Press("w", "enter").Ticks(1).Expect("cannot be simulated: ").Press("esc").ExpectNot("what if the same work").Run();

    [Fact]
    public async Task Any_change_can_be_put_into_the_fields_of_the_dialog()
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        ScreenScript.Of(report, 100, 30).With(new() { Imagine = WhatIfRunner.Of })
            .Press("w", "tab").Type("40").Press("tab").Type("60").Press("enter").Ticks(1)
            .Expect("what if MinThreads 40, MaxThreads 60").Expect("Effect")
            .Press("back", "back").Press("enter").Ticks(1).Expect("what if MinThreads 40").ExpectNot("MaxThreads 60")
            .Press("back").Type("x").Press("enter").Expect("from 1 to 32 767")
            .Press("esc", "w", "tab", "enter").Expect("Nothing is changed yet").Run();
    }

    [Fact]
    public void The_menu_is_left_without_a_trace()
    {
        var links = new ScreenCalls { Imagine = WhatIfRunner.Of };
        var frames = ScreenScript.Of(Some.Found(), 100, 30).With(links).Press("w", "down", "down", "up", "esc").Run().Frames;
        Assert.Equal(frames[0].ToString(), frames[^1].ToString());
        Assert.True(ScreenScript.Of(Some.Found(), 100, 30).With(links).Press("w", "ctrl+c").Run().HasQuit);
    }

    [Fact]
    public void Min_as_the_user_says_stands_in_the_header_with_a_star() => ScreenScript.Of(Some.Unknown(), 100, 30).ExpectNot("min ")
        .Press(":").Type("min 50").Press("enter").Expect("min 50*").Press(":")
        .Type("min ?").Press("enter").ExpectNot("min 50").ExpectNot("*").Run();

    [Fact]
    public void A_replay_is_paused_sped_up_and_moved()
    {
        var playback = new FakePlayback();
        ScreenScript.Of(Some.Found() with { Timeline = Some.Found().Timeline with { Source = SessionSource.Recording } }, 100, 30)
            .With(new() { Playback = playback })
            .Expect("REPLAY 1x").Press("P").Expect("PAUSED 1x").Press(".").Expect("PAUSED 2x")
            .Press(",", ",").Expect("PAUSED 0.5x").Press("P").Expect("REPLAY 0.5x")
            .Press(":").Type("speed max").Press("enter").Expect("REPLAY max")
            .Press(",").Expect("REPLAY 100x").Press(".").Expect("REPLAY max")
            .Press(":").Type("goto 00:05").Press("enter").Check(_ => Assert.Equal(5000, playback.At))
            .Press(":").Type("goto -8s").Press("enter").Check(_ => Assert.Equal(9990, playback.At!.Value, 1.0))
            .Press(":").Type("goto +2s").Press("enter").Check(_ => Assert.Equal(19_990, playback.At!.Value, 1.0))
            .Press(":").Type("goto start").Press("enter").Check(_ => Assert.Equal(0, playback.At)).Run();
    }

    [Fact]
    public void At_the_end_a_replay_is_played_again()
    {
        var playback = new FakePlayback { AtEnd = true };
        ScreenScript.Of(Some.Found() with
        {
            Timeline = Some.Found().Timeline with { Source = SessionSource.Recording },
            End = SessionEnd.EndOfRecording,
        }, 100, 30)
            .With(new() { Playback = playback }).Expect("REPLAY end").Press("P").Check(_ => Assert.Equal(0, playback.At)).Run();
    }

    [Fact]
    public void Live_there_is_nothing_to_play() => ScreenScript.Of(Some.Found(), 100, 30).Press("P").Expect("This is not a replay").Run();

    [Fact]
    public void What_is_retained_is_saved_under_a_name_of_its_own_or_the_one_that_is_typed()
    {
        var saved = new List<SaveRequest>();
        ScreenScript.Of(Some.Found(), 100, 30).With(new() { Save = (_, what) => { saved.Add(what); return $"Saved {saved.Count}."; } })
            .Press("e").Expect("Saved 1.").Press(":").Type("export night").Press("enter").Expect("Saved 2.")
            .Press(":").Type("export html").Press("enter").Expect("Saved 3.").Run();
        Assert.Equal([new(null), new(null, "night"), new("html")], saved);
        ScreenScript.Of(Some.Found(), 100, 30).With(new()).Press("e").Expect("There are no events to save here.").Run();
    }

    [Fact]
    public void A_report_is_saved_in_any_format_under_any_name()
    {
        var saved = new List<SaveRequest>();
        ScreenScript.Of(Some.Found(), 100, 30).With(new() { Save = (_, what) => { saved.Add(what); return "Saved."; } })
            .Press("s").Expect("> .txt").Press("enter").Expect("Saved.").ExpectNot("> .txt")
            .Press("s", "down").Expect("> .html").Press("tab").Type("night").Press("enter").Expect("Saved.")
            .Press("s").Click(".svg", twice: true).Expect("Saved.").Press("s", "esc").ExpectNot("> .txt").Run();
        Assert.Equal([new("text"), new("html", "night"), new("svg")], saved);
        Assert.Equal(
            Tpwatch.Run.ReportSaver.Documents.Select(d => (d.Key, d.Value.Ending)).Order(),
            SaveFormat.All.Where(f => f.Document is not null).Select(f => (f.Document!, f.Ending)).Order());
    }

    [Fact]
    public void History_is_forgotten_only_when_asked_twice()
    {
        var times = 0;
        var links = new ScreenCalls { Forget = () => times++ };
        ScreenScript.Of(Some.Found(), 100, 30).With(links).Press("x").Expect("Press x again to clear").Check(_ => Assert.Equal(0, times))
            .Press("2", "x").Expect("x again").Check(_ => Assert.Equal(0, times)).Press("esc").ExpectNot("x again").Expect("[2 Injections")
            .Press("x", "x").Expect("is cleared").Check(_ => Assert.Equal(1, times)).Run();
    }

    [Fact]
    public void An_acknowledged_finding_alarms_no_more_until_it_gets_worse() => ScreenScript.Of(Some.Found(), 100, 30)
        .Expect("6 Findings (2, 1 new)").Press("6").Expect("!! serious").Press("a").Expect("ok serious")
        .Press("1").Expect("6 Findings (2)")
        .Press("6", "a").Expect("!! serious").Press("down", "a").Expect("ok note").Press("1").Expect("2, 1 new").Run();

    [Fact]
    public void What_arrives_and_what_was_lost_lie_over_the_view_and_escape_takes_them_away()
    {
        var frames = ScreenScript.Of(Some.Lossy(), 100, 30).Press("i").Expect("which data arrives, and")
            .Expect("Missing: the machine's clock").Press("i").ExpectNot("which data arrives")
            .Press("L").Expect("1 284 of 3 684 events").Expect("00:09.8")
            .Press("L").ExpectNot("1 284 of 3 684").Press("i", "esc").ExpectNot("which data arrives").Run().Frames;
        Assert.Equal(frames[0].ToString(), frames[^1].ToString());
    }

    [Fact]
    public void After_its_end_a_target_is_waited_for()
    {
        var links = new ScreenCalls { Again = () => "Waiting for a new one." };
        ScreenScript.Of(Some.Exited(), 100, 30).With(links)
            .Expect("R waits for a restart").Press("R").Expect("Waiting for a new one.").Run();
        ScreenScript.Of(Some.Found(), 100, 30).With(links).Press("R").Expect("still runs and is watched").Run();
        ScreenScript.Of(Some.Exited(), 100, 30).Press("R").Expect("--wait").Run();
    }

    [Fact]
    public void Another_session_begins_with_nothing_chosen()
    {
        var next = Some.StarvingBurst(9);
        next = next with { Timeline = next.Timeline with { Start = Some.At(100), Now = Some.At(108) } };
        ScreenScript.Of(Some.Found(), 100, 30).Press("left", "left").Expect("#11 S:")
            .Arrives(next).ExpectNot("#11 S:").Expect("follow").Run();
    }

    [Fact]
    public void What_was_frozen_and_is_no_longer_kept_is_left()
    {
        var later = Some.StarvingBurst();
        later = later with { Timeline = later.Timeline with { Buckets = later.Timeline.Buckets.Since(300) } };
        ScreenScript.Of(Some.StarvingBurst(9), 100, 30).Press("space").Expect("FROZEN")
            .Arrives(later).ExpectNot("FROZEN").Expect("no longer kept").Run();
    }

    [Fact]
    public void The_countdown_moves_between_events_and_stops_with_them()
    {
        var time = new ManualTime();
        var screen = ScreenScript.Of(Some.Foretold(), 140, 40).With(new() { Time = time }).Expect("+1 in 0.5s");
        for (var step = 0; step < 60; step++)
        {
            screen = screen.Check(f => { time.Advance(0.1); f.Tick(); });
        }

        var texts = screen.Run().Frames
            .Select(f => Enumerable.Range(0, f.Height).Select(f.Row).First(r => r.StartsWith("inject", StringComparison.Ordinal))).ToList();
        Assert.Contains(texts, t => t.Contains("+1 in 0.2s", StringComparison.Ordinal));
        Assert.Contains(
            texts, t => t.Contains("+1 now", StringComparison.Ordinal) || !t.Contains("+1", StringComparison.Ordinal));
        Assert.InRange(texts.Count, 4, 16);
    }

    [Fact]
    public void Time_alone_draws_nothing_where_nothing_is_counted_down()
    {
        var time = new ManualTime();
        var screen = ScreenScript.Of(Some.StarvingBurst(), 100, 30).With(new() { Time = time });
        for (var step = 0; step < 600; step++)
        {
            screen = screen.Check(f => { time.Advance(0.1); f.Tick(); });
        }

        Assert.Single(screen.Run().Frames);
    }

    static string Lane(CellGrid grid, string name)
    {
        var rows = Enumerable.Range(0, grid.Height).Select(grid.Row).ToList();
        return string.Concat(rows.SkipWhile(r => !r.StartsWith(name, StringComparison.Ordinal)).Take(3).Select(r => r[12..88]));
    }

    sealed class ManualTime : TimeProvider
    {
        long stamp;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => stamp;

        public void Advance(double seconds) => stamp += TimeSpan.FromSeconds(seconds).Ticks;
    }
}
