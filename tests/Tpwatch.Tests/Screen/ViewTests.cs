using Tpwatch.Screen;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen;

/// <summary>What keys do beyond the overview.</summary>
public sealed class ViewTests
{
    static readonly string[] AllKeys =
        ["space", "f", "left", "right", "up", "down", "k", "j", "[", "]", "n", "N", "enter", "o", "v",
            "c", "+", "-", "=", "h", "l", "g", "G", "z", "m", "y", "s", "?", "F5", "pgup", "pgdn"];

    [Fact]
    public void Each_number_shows_its_view() => ScreenScript.Of(Some.Found(), 100, 30)
        .Expect("[1 Overview]").Press("2").Expect("[2 Injections (10)]").Press("3").Expect("[3 Stacks]").Press("4").Expect("[4 Latency]")
        .Press("5").Expect("[5 Climbing]").Press("6").Expect("[6 Findings (2)]").Press("1").Expect("[1 Overview]").Run();

    [Fact]
    public void Every_key_on_every_view_leaves_a_whole_picture_and_escape_leads_back()
    {
        foreach (var view in (string[])["1", "2", "3", "4", "5", "6"])
        {
            var screen = ScreenScript.Of(Some.Found(), 100, 30);
            foreach (var key in AllKeys)
            {
                screen.Press(view, key, "esc", "esc", "esc", "esc", "esc").Expect("[1 Overview]").Expect("follow");
            }

            Assert.False(screen.Run().HasQuit);
        }
    }

    [Fact]
    public void A_key_means_the_same_wherever_it_means_anything() =>
        Assert.All(Bindings.All.SelectMany(b => b.Keys).GroupBy(k => k.Key), same => Assert.Single(same));

    [Fact]
    public void The_selection_is_the_same_on_the_overview_and_in_the_list() => ScreenScript.Of(Some.Found(), 100, 30)
        .Press("[", "[").Expect("#11 S:").Press("2").Expect(">   11 ").Press("down")
        .Expect(">   10 ").Press("o").Expect("[1 Overview]").Expect("#10 S:").Run();

    [Fact]
    public void Enter_on_the_overview_shows_the_detail_and_escape_peels_it_again() => ScreenScript.Of(Some.Found(), 100, 30)
        .Press("[", "enter").Expect("[2 Injections").Expect("#12").ExpectNot("allowed [hit] ms").Press("esc")
        .Expect("allowed [hit] ms").Press("esc").Expect("[1 Overview]").Expect("#12 S:").Run();

    [Fact]
    public void The_list_is_narrowed_by_verdict_and_says_so() => ScreenScript.Of(Some.Found(), 100, 30)
        .Press("2", "v").Expect("showing 9: as expected").Press("v").Expect("showing 1: early or late").Expect("LATE +499")
        .Press("v").Expect("No row matches").Press("esc").ExpectNot("showing").Expect("[2 Injections").Run();

    [Fact]
    public void The_list_is_sorted_by_wait() =>
        ScreenScript.Of(Some.Found(), 100, 30).Press("2", "c").Expect(">    9 ").Expect("delay v")
            .Press("c").Expect("que v").Press("c").Expect("delay ms").Run();

    [Theory]
    [InlineData("S", 10)]
    [InlineData("!S", 3)]
    [InlineData("reason:climb", 3)]
    [InlineData("gap>1100", 1)]
    [InlineData("gap<600", 1)]
    [InlineData("verdict:late", 1)]
    [InlineData("rule:g1 !late", 9)]
    [InlineData("queue>100 S", 4)]
    [InlineData("cpu>50", 0)]
    [InlineData("dequeued", 10)]
    [InlineData("!", 13)]
    [InlineData("nothing<5", 0)]
    public void A_filter_shows_the_rows_that_match(string filter, int rows)
    {
        var state = new ViewState { List = new() { Filter = filter } };
        Assert.Equal(rows, DelayRows.Of(new Scene(Some.Found(), state)).Length);
    }

    [Fact]
    public void A_filter_is_typed_at_the_foot_and_escape_takes_it_away() => ScreenScript.Of(Some.Found(), 100, 30)
        .Press("2", "/").Type("qap").Press("back", "back", "back").Type("gap>1100").Expect("filter: gap>1100").Expect("showing 1")
        .Press("enter").ExpectNot("filter:").Expect("showing 1").Press("esc").ExpectNot("showing")
        .Press("/").Type("late").Expect("showing 1").Press("esc").ExpectNot("showing").Run();

    [Fact]
    public void Ctrl_c_quits_while_something_is_typed_and_q_does_not()
    {
        Assert.False(ScreenScript.Of(Some.Found(), 100, 30).Press(":").Type("q").Run().HasQuit);
        Assert.True(ScreenScript.Of(Some.Found(), 100, 30).Press(":").Type("q").Press("ctrl+c").Run().HasQuit);
        Assert.True(ScreenScript.Of(Some.Found(), 100, 30).Press(":").Type("quit").Press("enter").Run().HasQuit);
    }

    [Fact]
    public void What_is_pasted_into_a_prompt_is_cut_off() =>
        ScreenScript.Of(Some.Found(), 100, 30).Press(":").Type(new string('x', 200)).Press("enter").Expect("There is no :xxx").Run();

    [Fact]
    public void Commands_go_to_a_time_and_to_an_event_and_are_completed() => ScreenScript.Of(Some.StarvingBurst(300), 100, 30)
        .Press(":").Type("go").Expect("goto").Press("tab").Type("-290s").Press("enter").ExpectNot("now follow").Expect("00:09")
        .Press(":").Type("goto #5").Press("enter").Expect("#5 S:")
        .Press(":").Type("goto 4:00").Press("enter").Expect("04:00").Press(":")
        .Type("goto noon").Press("enter").Expect("'noon' is not a time").Run();

    [Fact]
    public void Findings_are_stepped_through_and_lead_to_their_evidence() => ScreenScript.Of(Some.Found(), 100, 30)
        .Press("6").Expect("TPW001 Starvation by").Press("n").Expect("TPW013 Idle worker threads")
            .Press("N").Expect("ForceMinWorkerThreads=0x14")
        .Press("enter").Expect("[1 Overview]").ExpectNot("now follow").Expect("chosen of 2 findings: TPW001").Run();

    [Fact]
    public void An_undecided_rule_says_what_it_lacks() => ScreenScript.Of(Some.Found(), 100, 30)
        .Press("6", "down", "down").Expect("TPW009 Long work items? Undecided").Expect("either take long or hang")
        .Press("enter").Expect("no evidence to show").Expect("[6 Findings").Run();

    [Fact]
    public void Copying_hands_text_to_the_front_end()
    {
        var front = ScreenScript.Of(Some.Found(), 80, 24).Press("6", "y").Expect("Asked the terminal to copy").Run();
        var clip = Assert.Single(front.Clips);
        Assert.Contains("TPW001 serious", clip, StringComparison.Ordinal);
        Assert.Contains("DOTNET_ThreadPool_ForceMinWorkerThreads=0x14", clip, StringComparison.Ordinal);
        Assert.True(clip.Length <= ClipText.Longest);
    }

    [Fact]
    public void Saving_asks_whoever_can_write_and_tells_what_came_of_it() => ScreenScript.Of(Some.Found(), 80, 24)
        .Press("s", "enter").Expect("Saved 13 gaps.").Press("left").ExpectNot("Saved").Run();

    [Fact]
    public void The_starved_stretch_is_fitted() => ScreenScript.Of(Some.StarvingBurst(300), 100, 30)
        .Press("z").Expect("10 in all").ExpectNot("now follow").Press("z").Expect("10 in all").Run();

    [Fact]
    public void Two_marks_measure_what_lies_between() => ScreenScript.Of(Some.StarvingBurst(), 100, 30)
        .Press("[", "m").Expect("Mark A").Press("[", "[", "[", "m")
        .Expect("A to B: 3.0 s, 3 injections, 3 events, items waited for 3.0 s of that.").Expect("AB 3.0 s")
        .Press("esc").ExpectNot("AB 3.0 s").Run();

    [Fact]
    public void Brackets_step_over_rises_alone() => ScreenScript.Of(Some.Compensated(), 100, 30)
        .Expect("2 Injections (6)").Press("[").Expect("#6 B: pool added threads").Press("d", "right")
        .Expect("#7 B: task waits ended").Run();

    [Fact]
    public void Compensation_says_since_when() =>
        ScreenScript.Of(Some.Compensated() with { InjectionDelays = [.. Some.Compensated().InjectionDelays.SkipLast(1)] }, 80, 24)
            .Expect("COMPENSATED since 00:02.2: threads wait for tasks. Not urgent: await the tasks").Run();

    [Fact]
    public void Compensation_that_was_taken_back_is_over() =>
        ScreenScript.Of(Some.Compensated(), 80, 24).Expect("COMPENSATED, ended: threads waited for tasks").Run();

    [Fact]
    public void While_starved_the_next_worker_is_counted_down_to() =>
        ScreenScript.Of(Some.Waiting(), 140, 40).Expect("+1 in 0.5s").Resize(80, 24)
            .Expect("+1 in 0.5s").Arrives(Some.StarvingBurst()).ExpectNot("+1 in").Run();

    [Fact]
    public void A_sure_forecast_is_counted_down_to_alone() => ScreenScript.Of(Some.Foretold(), 140, 40)
        .Expect("+1 in 0.5s").Press("4")
        .Expect("starts in 1 min 38 s to 2 min 50 s").Expect("does not become empty").Run();

    [Fact]
    public void F_ends_a_freeze_and_so_does_escape() => ScreenScript.Of(Some.StarvingBurst(9), 100, 30)
        .Press("space").Expect("FROZEN").Press("f").ExpectNot("FROZEN").Expect("follow")
        .Press("space").Expect("FROZEN").Press("esc").ExpectNot("FROZEN").Run();

    [Fact]
    public void A_banner_does_not_hide_the_verdict() =>
        ScreenScript.Of(Some.Exited(), 80, 24)
            .Expect("EXITED OrderApi ended. R waits for a restart | STARVED for 11.1 s, ended")
            .Press("space").Expect("EXITED OrderApi").Run();

    [Fact]
    public void Long_texts_are_scrolled_by_keys_and_by_the_wheel_and_not_beyond_their_end()
    {
        var screen = ScreenScript.Of(Some.Found(), 60, 16).Press("6").Expect("▲").ExpectNot("Sure ")
            .Press("pgdn", "pgdn", "pgdn", "pgdn", "pgdn", "pgdn", "pgdn").Expect("Sure ").Press("pgdn").Expect("This is the end.")
            .Press("pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup").ExpectNot("Sure ");
        for (var turn = 0; turn < 30; turn++)
        {
            screen = screen.Wheel(20, 12, up: false);
        }

        screen.Expect("Sure ").Run();
    }
}
