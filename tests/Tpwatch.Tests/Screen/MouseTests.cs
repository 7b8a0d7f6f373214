namespace Tpwatch.Tests.Screen;

/// <summary>What the mouse does; each has a key that does the same.</summary>
public sealed class MouseTests
{
    /// <summary>Row of the lane of threads, and the columns of two marks in it.</summary>
    const int LaneRow = 5;

    [Theory]
    [InlineData(100, 30)]
    [InlineData(80, 24)]
    public void A_click_on_a_tab_shows_its_view(int width, int height) => ScreenScript.Of(Some.Found(), width, height)
        .Click("2 Inj").Expect("[2 Inj").Click("6 Find").Expect("[6 Find").Click("1 Over").Expect("[1 Over").Run();

    [Theory]
    [InlineData(100, 30)]
    [InlineData(80, 24)]
    public void A_click_on_a_row_selects_it_in_every_view_and_a_double_click_shows_it_on_the_timeline(int width, int height) =>
        ScreenScript.Of(Some.Found(), width, height).Press("2").Click("  11  ").Expect(">   11 ").Press("1").Expect("#11 S:")
            .Press("2").Click("  12  ", twice: true).Expect("[1 Over").Expect("#12 S:").Run();

    [Fact]
    public void A_click_on_a_place_shows_its_stack() => ScreenScript.Of(SomeDeep.Stacks(), 100, 30)
        .Press("3").Click("PriceCache.Get").Expect("stack: OrderApi.PriceCache.Get").Click("  86%")
        .Expect("stack: OrderApi.OrderRepo.Load").Run();

    [Theory]
    [InlineData(100, 30)]
    [InlineData(80, 24)]
    public void A_click_on_a_heading_sorts_down_up_and_not_at_all(int width, int height) => ScreenScript.Of(Some.Found(), width, height)
        .Press("2").Expect(">   13 ").Click("delay ms").Expect(">    9 ").Expect("delay v")
        .Click("delay v").Expect("delay ^").Press("home").Check(s => Assert.Contains("501", s.Shown.Row(5), StringComparison.Ordinal))
        .Click("delay ^").Expect("delay ms").Press("home")
        .Check(s => Assert.Contains(" 13 ", s.Shown.Row(5), StringComparison.Ordinal)).Run();

    [Fact]
    public void Every_table_sorts() => ScreenScript.Of(SomeDeep.Stacks(), 100, 30)
        .Press("3").Click("threads kind").Expect("threa v").Press("6").Click("began").Expect("began v")
        .Click("finding ").Expect("finding v").Run();

    [Theory]
    [InlineData(100, 30)]
    [InlineData(80, 24)]
    public void A_click_on_a_key_in_the_bar_does_what_the_key_does(int width, int height) => ScreenScript.Of(Some.Found(), width, height)
        .Click("? help").Expect("help: type to search").Press("esc").Press("2").Click("enter detail").ExpectNot("allowed [hit]")
        .Click("q quit").Check(s => Assert.True(s.HasQuit)).Run();

    [Fact]
    public void Of_two_keys_each_half_does_its_own() => ScreenScript.Of(Some.Found(), 100, 30)
        .Click("[ ]").Expect("#12 S:").Click("[ ]").Expect("#11 S:").Click("] inj").Expect("#12 S:").Run();

    [Theory]
    [InlineData(100, 30)]
    [InlineData(80, 24)]
    public void The_wheel_zooms_lanes_and_scrolls_tables(int width, int height) => ScreenScript.Of(Some.Found(), width, height)
        .Wheel(50, LaneRow, up: true).Check(s => Assert.Equal(100, s.Model!.State.ScaleMs))
        .Wheel(50, LaneRow, up: false).Check(s => Assert.Equal(250, s.Model!.State.ScaleMs))
        .Press("2").Expect("   13 ").Wheel(20, 6, up: false).Wheel(20, 6, up: false).Check(s =>
        {
            Assert.DoesNotContain("   13 ", s.Shown.Row(5), StringComparison.Ordinal);
            Assert.Null(s.Model!.State.Selected);
        })
        .Ticks(1).Check(s => Assert.DoesNotContain("   13 ", s.Shown.Row(5), StringComparison.Ordinal)).Run();

    [Fact]
    public void A_click_on_a_lane_selects_the_nearest_event_in_every_view() => ScreenScript.Of(Some.Found(), 100, 30)
        .Click(69, LaneRow).Expect("#12 S:").Click(30, LaneRow).Expect("#3 S:").Press("2").Expect(">    3 ")
        .Press("5").Check(s => Assert.Equal(3, s.Model!.State.Selected)).Run();

    [Fact]
    public void A_double_click_on_a_lane_shows_the_details() => ScreenScript.Of(Some.Found(), 100, 30)
        .Click("threads", twice: true).Expect("[2 Injections").Expect("last progress").ExpectNot("allowed [hit] ms").Run();

    [Fact]
    public void A_drag_measures_and_selects_nothing() => ScreenScript.Of(Some.StarvingBurst(), 100, 30)
        .Drag(40, 60, LaneRow).Expect("A to B: 5.0 s").Expect("AB 5.0 s").Check(s => Assert.Null(s.Model!.State.Selected))
        .Press("esc").ExpectNot("AB 5.0 s").Click(69, LaneRow).Expect("#12 S:").Run();

    [Fact]
    public void A_click_on_the_first_finding_shows_it_among_all() => ScreenScript.Of(Some.Found(), 100, 30)
        .Click("What  The").Expect("[6 Findings").Expect("TPW001 Starvation by").Run();

    [Fact]
    public void A_command_is_found_by_a_part_of_its_name_and_says_why_it_is_not_possible() => ScreenScript.Of(Some.Found(), 100, 30)
        .Press(":").Type("zoom").Expect("> zoom in").Expect("zoom to the starved time").ExpectNot("show overview")
        .Press("down", "enter").Check(s => Assert.Equal(500, s.Model!.State.ScaleMs))
        .Press(":").Type("replay").Expect("This is not a replay.").Press("enter").Expect("This is not a replay. space freezes")
        .Press(":").Type("group").Expect("c works in 2 Injections").Press("esc")
        .Press(":").Type("find").Click("show findings", twice: true).Expect("[6 Findings").Run();

    [Fact]
    public void Help_searches_and_does_what_was_found() => ScreenScript.Of(Some.Found(), 100, 30)
        .Press("?").Expect("what they do").Type("judgment").Expect("> v ").ExpectNot("> 1..6").Press("esc")
        .Press("?").Type("freeze;").Press("enter").Expect("FROZEN").Run();
}
