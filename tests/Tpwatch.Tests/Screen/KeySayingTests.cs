using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen;

/// <summary>Every key does something or says why not.</summary>
public sealed class KeySayingTests
{
    static readonly string[] Keys =
    [
        "home", "end", "tab", "pgup", "pgdn", "up", "down", "left", "right", "back", "X", "v", "c", "[", "]", "u", "p", "b", "d", "o", "=",
        "f",
    ];

    static readonly string[][] Places =
        [[], ["2"], ["3"], ["4"], ["5"], ["6"], ["2", "enter"]];

    [Fact]
    public void A_key_changes_the_picture_or_says_why_not()
    {
        var silent = new List<string>();
        foreach (var place in Places)
        {
            var (script, before) = (ScreenScript.Of(Some.Found(), 100, 30), 0);
            ViewState? initial = null;
            foreach (var key in Keys)
            {
                script.Check(f => f.Choose(initial ??= f.Model!.State)).Press(place).Check(f => before = f.Frames.Count)
                    .Press(key).Check(f => silent.AddRange(f.Frames.Count > before ? [] : [$"{string.Join(' ', place)}: {key}"]));
            }

            script.Run();
        }

        Assert.Empty(silent);
    }

    [Fact]
    public void It_names_the_views_on_which_a_key_works() => ScreenScript.Of(Some.Found(), 80, 24)
        .Press("v").Expect("v works in 2 Injections.").Press("b").Expect("b works in 3 Stacks.").Press("X").Expect("X does nothing.").Run();

    [Fact]
    public void Home_and_end_reach_the_ends_of_rows_of_texts_and_of_time() => ScreenScript.Of(Some.Found(), 100, 30)
        .Press("2", "end").Expect(">    1 ").Press("home").Expect(">   13 ")
        .Press("enter", "end").Expect("This is the end.").Press("home").Expect("This is the beginning.")
        .Press("esc", "esc", "home").ExpectNot("now follow").Press("end").Expect("now follow").Run();

    [Fact]
    public void Tab_leads_round_the_views() => ScreenScript.Of(Some.Found(), 100, 30)
        .Press("tab").Expect("[2 Injections").Press("tab", "tab", "tab", "tab").Expect("[6 Findings")
        .Press("tab").Expect("[1 Overview]").Run();

    [Fact]
    public void What_is_too_long_for_the_last_line_takes_more_of_them() => ScreenScript.Of(Some.Found(), 60, 20)
        .With(new() { Forget = () => { } })
        .Press("x").Expect("Press x again to clear the history; any other key cancels.").Expect("still has it.").Run();
}
