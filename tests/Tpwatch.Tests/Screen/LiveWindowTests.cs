using Tpwatch.Reports;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Drawing;
using Tpwatch.Text;

namespace Tpwatch.Tests.Screen;

public sealed class LiveWindowTests
{
    [Theory]
    [InlineData("q")]
    [InlineData("ctrl+c")]
    [InlineData("ctrl+d")]
    public void Quits(string key) => Assert.True(ScreenScript.Of(Some.StarvingBurst(), 100, 30).Press(key).Run().HasQuit);

    [Theory]
    [InlineData("q")]
    [InlineData("ctrl+c")]
    public void Quits_before_data_when_too_small_and_from_every_dialog(string key)
    {
        foreach (var dialog in (string[])["?", ":", "i", "L"])
        {
            Assert.True(ScreenScript.Of(Some.StarvingBurst(), 100, 30).Press(dialog, "ctrl+c").Run().HasQuit);
            Assert.False(ScreenScript.Of(Some.StarvingBurst(), 100, 30).Press(dialog, "q").Run().HasQuit);
        }

        Assert.True(ScreenScript.Of(null, 100, 30).Press(key).Run().HasQuit);
        Assert.True(ScreenScript.Of(Some.StarvingBurst(), 10, 3).Press(key).Run().HasQuit);
    }

    [Fact]
    public void Escape_peels_one_thing_after_another_and_never_quits() => Assert.False(
        ScreenScript.Of(Some.StarvingBurst(), 100, 30).Press("left", "?").Expect("previous, next event")
            .Press("esc").ExpectNot("previous, next event").Expect("#12 S:")
            .Press("esc").ExpectNot("#12 S:").ExpectNot("now follow")
            .Press("esc").Expect("now follow")
            .Press("esc", "esc", "esc").Run().HasQuit);

    [Fact]
    public void Nothing_new_means_no_draw()
    {
        var frames = ScreenScript.Of(Some.StarvingBurst(), 100, 30).Ticks(50).Ticks(50)
            .Arrives(Some.StarvingBurst()).Run().Frames;
        Assert.Single(frames);
    }

    [Fact]
    public void F5_draws_again_though_nothing_changed() =>
        Assert.Equal(2, ScreenScript.Of(Some.StarvingBurst(), 100, 30).Press("F5").Run().Frames.Count);

    [Fact]
    public void A_storm_of_sizes_ends_with_the_same_picture()
    {
        var frames = ScreenScript.Of(Some.StarvingBurst(), 100, 30)
            .Resize(40, 10).Resize(200, 50).Resize(0, 0).Resize(1, 1).Resize(250, 3).Resize(3, 250).Resize(100, 30).Run().Frames;
        Assert.Equal(8, frames.Count);
        Assert.Equal(frames[0].ToString(), frames[^1].ToString());
        Assert.All(frames, f => Assert.All(Enumerable.Range(0, f.Height), y => Assert.Equal(f.Width, f.Row(y).Length)));
    }

    [Fact]
    public void Frozen_only_the_counter_changes()
    {
        var frames = ScreenScript.Of(Some.StarvingBurst(9), 100, 30).Press("space").Expect("0 new marks; space resumes")
            .Arrives(Some.StarvingBurst(11)).Expect("2 new marks; space resumes")
            .Arrives(Some.StarvingBurst(18)).Expect("FROZEN for 9.0 s").Expect("| STARVED").Run().Frames;
        Assert.Equal(WithoutStatus(frames[1]), WithoutStatus(frames[2]));
        Assert.Equal(WithoutStatus(frames[1]), WithoutStatus(frames[3]));
    }

    [Fact]
    public void After_a_freeze_the_newest_is_shown() =>
        ScreenScript.Of(Some.StarvingBurst(9), 100, 30).Press("space").Arrives(Some.StarvingBurst(18)).Expect(" 5 in all")
            .Press("space").ExpectNot("FROZEN").Expect("10 in all").Run();

    [Fact]
    public void The_selection_stays_with_its_gap_when_more_arrive()
    {
        var frames = ScreenScript.Of(Some.StarvingBurst(9), 100, 30).Press("left", "left").Expect("#6 S:")
            .Arrives(Some.StarvingBurst(11)).Expect("#6 S:")
            .Arrives(Some.StarvingBurst(18)).Expect("#6 S:").Run().Frames;
        Assert.Equal(Column(frames[2]), Column(frames[^1]));
    }

    [Fact]
    public void The_selection_stays_in_its_column_when_the_zoom_changes()
    {
        var frames = ScreenScript.Of(Some.StarvingBurst(300), 100, 30)
            .Press("d", "left", "left", "left").Press("-").Press("+", "+").Press("=").Run().Frames;
        Assert.All(frames.Skip(4), f => Assert.Equal(Column(frames[4]), Column(f)));
    }

    [Fact]
    public void A_selected_gap_that_history_dropped_is_named_and_left()
    {
        var burst = Some.StarvingBurst();
        var later = burst with { InjectionDelays = burst.InjectionDelays[8..], Timeline = burst.Timeline with { Now = Some.At(18.2) } };
        ScreenScript.Of(burst, 100, 30).Press("left", "[", "[", "[", "[", "[").Expect("#7 S:")
            .Arrives(later).Expect("#7 is no longer kept")
            .Press("right").Expect("#9 S:").Run();
    }

    [Fact]
    public void Arrows_step_over_events_and_brackets_over_injections() =>
        ScreenScript.Of(Some.StarvingBurst(), 100, 30)
            .Press("left").Expect("#12 S:").Press("right").Expect("There is no further mark.").Press("esc", "d")
            .Press("left").Expect("#13 C: hill climbing").Press("left")
            .Expect("#12 S:").Press("right").Expect("#13 C:").Press("right").Expect("#13 C:")
            .Press("[").Expect("#12 S:").Press("]").Expect("#12 S:")
            .Press("[", "[", "[", "[", "[", "[", "[", "[", "[", "[", "[", "[").Expect("#3 S:")
            .Press("left").Expect("#2 C:").Run();

    [Fact]
    public void An_event_outside_of_the_screen_is_brought_into_it() =>
        ScreenScript.Of(Some.StarvingBurst(300), 100, 30).Expect("[1 Overview]").Press("left").Expect("#12 S:")
            .Check(f => Assert.InRange(Column(f.Frames[^1]), 12, 87)).Press("left", "left").Expect("#10 S:")
            .Check(f => Assert.InRange(Column(f.Frames[^1]), 12, 87)).Run();

    [Fact]
    public void Zoomed_in_the_gate_shows_its_ticks() =>
        ScreenScript.Of(Some.StarvingBurst(), 100, 30).ExpectNot("delay ms")
            .Press("left", "left", "left", "left", "+", "+").Expect("delay ms").Expect("1504|")
            .Press("+", "+", "+").Expect("0.05s/col").Press("=").ExpectNot("delay ms").Run();

    [Fact]
    public void Following_moves_by_whole_columns_and_new_data_keeps_old_columns()
    {
        var frames = ScreenScript.Of(Some.StarvingBurst(17), 100, 30)
            .Arrives(Some.StarvingBurst(17.1)).Arrives(Some.StarvingBurst(18)).Run().Frames;
        var (before, after) = (Row(frames[0], "inject")[12..88], Row(frames[^1], "inject")[12..88]);
        Assert.Equal(before[4..76], after[..72]);
    }

    [Fact]
    public void Panning_by_columns_shows_the_same_columns_elsewhere()
    {
        var frames = ScreenScript.Of(Some.StarvingBurst(60), 100, 30).Press("d").Press("g").Press("l").Run().Frames;
        foreach (var lane in (string[])["inject", "judged", "starved"])
        {
            Assert.Equal(Row(frames[2], lane)[(12 + 38)..(12 + 76)], Row(frames[3], lane)[12..(12 + 38)]);
        }
    }

    [Fact]
    public void The_ends_are_reached_and_not_passed() =>
        ScreenScript.Of(Some.StarvingBurst(60), 100, 30)
            .Press("h", "h", "h", "h", "h", "h", "h", "h").Expect("00:00").Press("h").Expect("00:00")
            .Press("l", "l", "l", "l", "l", "l", "l", "l").Expect("f: follow").Press("G").Expect("now follow").Run();

    [Fact]
    public void A_banner_from_outside_takes_the_status_line_and_leaves_it()
    {
        var frames = ScreenScript.Of(Some.StarvingBurst(), 100, 30).Says("BEHIND", "1.8 s")
            .Expect(" BEHIND 1.8 s | STARVED for 11.1 s, ended 3.4 s ago").Says(null).ExpectNot("BEHIND").Run().Frames;
        Assert.Equal(frames[0].ToString(), frames[^1].ToString());
        Assert.Equal(WithoutStatus(frames[0]), WithoutStatus(frames[1]));
    }

    [Fact]
    public void The_most_severe_banner_wins_and_the_others_are_counted() =>
        ScreenScript.Of(Some.Lossy() with { End = SessionEnd.TargetKilled }, 100, 30)
            .Says("BEHIND", "2 s").Expect(" EXITED").Expect("+2").Run();

    [Fact]
    public void Scales_do_not_jump_down_while_following_until_they_are_much_too_large() =>
        ScreenScript.Of(Some.StarvingBurst(32.6), 100, 30).Expect("queue    80")
            .Arrives(Some.StarvingBurst(18)).Expect("queue   200")
            .Arrives(Some.StarvingBurst(32.6)).Expect("queue   200").Press("f").Expect("queue    80")
            .Arrives(Some.StarvingBurst(60)).Expect("queue    10").Run();

    [Fact]
    public void A_threads_lane_without_data_keeps_its_scale()
    {
        var empty = LaneScales.Empty;
        var known = new LaneScales(8, 18, 100, 10);
        Assert.Equal(known, empty.Follow(known));
        Assert.Equal((8, 18), (known.Follow(empty).ThreadsMin, known.Follow(empty).ThreadsMax));
        Assert.Equal(empty, empty.Follow(empty));
    }

    [Fact]
    public void Every_hint_is_bound_and_in_the_help()
    {
        Assert.All(Bindings.All, b => Assert.NotEmpty(b.Keys));
        foreach (var view in Enum.GetValues<ViewName>())
        {
            Assert.All(
                Bindings.All.Where(b => b.On.Has(view)).SelectMany(b => b.Keys), k => Assert.Equal(k.Action, Bindings.Of(k.Key, view)));
            Assert.All(Bindings.All.Where(b => !b.On.Has(view)).SelectMany(b => b.Keys), k => Assert.Null(Bindings.Of(k.Key, view)));
            var help = ScreenScript.Of(Some.StarvingBurst(), 100, 60)
                .Press(FormattableString.Invariant($"{(int)view + 1}"), "?").Run().Shown.ToString();
            Assert.All(Enumerable.Range(0, 250).SelectMany(w => HintLine.Fitting(w, view, b => b.Hint)).Distinct(),
                b => Assert.Contains(b.Help, help, StringComparison.Ordinal));
            Assert.All(HintLine.Fitting(250, view, b => b.Hint), b => Assert.True(b.On.Has(view)));
        }
    }

    /// <summary>The palette names each once, but for the one that opens it.</summary>
    [Fact]
    public void Every_action_is_in_the_palette() =>
        Assert.Equal(Enum.GetValues<UiAction>().Where(a => a != UiAction.Command).Order(), Palette.Names.Select(n => n.Action).Order());

    [Fact]
    public void Every_action_has_a_key() =>
        Assert.Equal(Enum.GetValues<UiAction>().Order(), Bindings.All.SelectMany(b => b.Keys).Select(k => k.Action).Distinct().Order());

    [Fact]
    public void How_to_quit_and_where_the_help_is_stays_on_the_narrowest_screen() =>
        ScreenScript.Of(Some.StarvingBurst(), 60, 16).Expect("? help").Expect("q quit").Run();

    static string WithoutStatus(CellGrid grid) => string.Join('\n', Enumerable.Range(0, grid.Height).Where(y => y != 2).Select(grid.Row));

    static string Row(CellGrid grid, string lane) =>
        Enumerable.Range(0, grid.Height).Select(grid.Row).First(r => r.StartsWith(lane, StringComparison.Ordinal));

    // The selected mark is set off in its lane.
    static int Column(CellGrid grid)
    {
        var (y, style) = (Enumerable.Range(0, grid.Height).First(r => grid.Row(r).StartsWith("inject", StringComparison.Ordinal)),
            Theme.Dark[Role.Selection]);
        return Enumerable.Range(0, grid.Width).Single(x => grid[x, y] is var c && (c.Fg, c.Bg, c.Attr) == (style.Fg, style.Bg, style.Attr));
    }
}
