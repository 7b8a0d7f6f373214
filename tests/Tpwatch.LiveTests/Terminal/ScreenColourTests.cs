using System.Text.RegularExpressions;

namespace Tpwatch.LiveTests.Terminal;

public sealed partial class ScreenColourTests
{
    const int Minute = 60_000;

    [Theory(Timeout = Minute)]
    [InlineData("COLORTERM=truecolor", true)]
    [InlineData("COLORTERM=", true)]
    [InlineData("NO_COLOR=", true)]
    [InlineData("NO_COLOR=1 COLORTERM=truecolor", false)]
    public async Task Colours_are_used_where_they_are_wanted(string environment, bool colours)
    {
        await using var screen = await DemoScreen.StartAsync(100, 30, environment: environment);
        Assert.Equal(colours, ColourCode().IsMatch(await screen.Terminal.CaptureStyledAsync()));
    }

    [Theory(Timeout = Minute)]
    [InlineData("TERM=linux", "│", "⣀")]
    [InlineData("TERM=screen", "⣀", "│")]
    [InlineData("TERM=xterm-256color", "⣀", "│")]
    [InlineData("LANG=C", "+-", "┊")]
    public async Task Glyphs_are_those_the_terminal_has(string environment, string has, string hasNot)
    {
        await using var screen = await DemoScreen.StartAsync(100, 30, environment: environment);
        var shown = await screen.Terminal.CaptureAsync();
        Assert.Contains(has, shown, StringComparison.Ordinal);
        Assert.DoesNotContain(hasNot, shown, StringComparison.Ordinal);
    }

    [GeneratedRegex("\e\\[([0-9;]*;)?(3[0-8]|9[0-7])[;m]")]
    private static partial Regex ColourCode();
}
