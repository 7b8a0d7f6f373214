using Tpwatch.Screen.Keys;
using Tpwatch.Screen.Picker;

namespace Tpwatch.Tests.Screen.Picker;

public sealed class PickerKeysTests
{
    [Fact]
    public void The_cursor_begins_at_the_first_that_can_be_attached_to() => Assert.Equal(40011, Cursor(SomeProcesses.Scanned));

    [Theory]
    [InlineData("down", 41790)]
    [InlineData("up", 39950)]
    [InlineData("down down down down down", 41822)]
    [InlineData("end home", 39950)]
    public void Arrows_move_and_stay_inside(string keys, int pid) => Assert.Equal(pid, Cursor(After(keys).State));

    [Theory]
    [InlineData("o r d e r", "order", 1)]
    [InlineData("o r d e r back back", "ord", 1)]
    [InlineData("W O R K", "WORK", 1)]
    [InlineData("4 1 8", "418", 1)]
    [InlineData("s h o p space 1 0", "shop 10", 2)]
    [InlineData("/ q", "q", 0)]
    [InlineData("a q", "aq", 0)]
    [InlineData("o r d esc", "", 4)]
    [InlineData("space", "", 4)]
    public void What_is_typed_filters(string keys, string filter, int shown)
    {
        var (state, action) = After(keys);
        Assert.Equal((filter, shown, PickerAction.None), (state.Filter, state.Shown.Length, action));
    }

    [Theory]
    [InlineData("q", nameof(PickerAction.Quit))]
    [InlineData("o esc q", nameof(PickerAction.Quit))]
    [InlineData("o ctrl+c", nameof(PickerAction.Quit))]
    [InlineData("ctrl+d", nameof(PickerAction.Quit))]
    [InlineData("esc", nameof(PickerAction.None))]
    [InlineData("esc esc esc", nameof(PickerAction.None))]
    [InlineData("F5", nameof(PickerAction.Scan))]
    [InlineData("enter", nameof(PickerAction.Attach))]
    [InlineData("o r d e r enter", nameof(PickerAction.Attach))]
    [InlineData("x x x enter", nameof(PickerAction.None))]
    public void Each_key_asks_for_what_it_says(string keys, string action) => Assert.Equal(action, After(keys).Action.ToString());

    [Fact]
    public void Enter_on_one_that_cannot_be_attached_to_says_so_and_stays()
    {
        var (state, action) = After("up enter");
        Assert.Equal(PickerAction.None, action);
        Assert.Equal("tpwatch cannot watch 39950. The reason is above.", state.Flash);
    }

    [Fact]
    public void A_pasted_text_is_cut_off()
    {
        var state = SomeProcesses.Scanned;
        for (var i = 0; i < 10_000; i++)
        {
            (state, _) = PickerKeys.Next(state, KeyPress.Of('x'));
        }

        Assert.Equal(60, state.Filter.Length);
    }

    static int? Cursor(PickerState state)
    {
        var shown = state.Shown;
        return PickerState.CursorIn(shown, state.Pid) is >= 0 and var i ? shown[i].Pid : null;
    }

    static (PickerState State, PickerAction Action) After(string keys)
    {
        var (state, action) = (SomeProcesses.Scanned, PickerAction.None);
        foreach (var key in keys.Split(' '))
        {
            (state, action) = PickerKeys.Next(state, ScreenScript.ToPress(key));
        }

        return (state, action);
    }
}
