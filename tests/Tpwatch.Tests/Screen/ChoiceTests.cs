using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Tests.Screen;

public sealed class ChoiceTests
{
    [Theory]
    [InlineData(ColorMode.Auto, true, "", ColorDepth.Sixteen)]
    [InlineData(ColorMode.Auto, true, "COLORTERM=truecolor", ColorDepth.TrueColor)]
    [InlineData(ColorMode.Auto, true, "TERM_PROGRAM=WezTerm", ColorDepth.TrueColor)]
    [InlineData(ColorMode.Auto, true, "TERM=dumb COLORTERM=truecolor", ColorDepth.None)]
    [InlineData(ColorMode.Auto, true, "NO_COLOR=1 COLORTERM=truecolor", ColorDepth.None)]
    [InlineData(ColorMode.Auto, true, "NO_COLOR= COLORTERM=truecolor", ColorDepth.TrueColor)]
    [InlineData(ColorMode.Auto, true, "NO_COLOR=1 CLICOLOR_FORCE=1", ColorDepth.None)]
    [InlineData(ColorMode.Auto, false, "CLICOLOR_FORCE=1", ColorDepth.Sixteen)]
    [InlineData(ColorMode.Auto, false, "CLICOLOR_FORCE=0", ColorDepth.None)]
    [InlineData(ColorMode.Auto, false, "COLORTERM=truecolor", ColorDepth.None)]
    [InlineData(ColorMode.Always, false, "NO_COLOR=1", ColorDepth.Sixteen)]
    [InlineData(ColorMode.Never, true, "COLORTERM=truecolor CLICOLOR_FORCE=1", ColorDepth.None)]
    [InlineData(ColorMode.Sixteen, true, "COLORTERM=truecolor", ColorDepth.Sixteen)]
    [InlineData(ColorMode.TrueColor, false, "NO_COLOR=1", ColorDepth.TrueColor)]
    internal void The_flag_beats_no_color_beats_force_beats_detection(
        ColorMode mode, bool terminal, string environment, ColorDepth depth) =>
        Assert.Equal(depth, ColorChoice.Decide(mode, Environment(environment), terminal));

    [Theory]
    [InlineData(GlyphMode.Auto, true, "LANG=en_US.UTF-8 TERM=xterm-256color", "braille")]
    [InlineData(GlyphMode.Auto, true, "TERM=xterm", "braille")]
    [InlineData(GlyphMode.Auto, true, "LANG=de_DE.UTF-8 TERM=linux", "block")]
    [InlineData(GlyphMode.Auto, true, "LANG=C TERM=xterm", "ascii")]
    [InlineData(GlyphMode.Auto, true, "LC_ALL=C.UTF-8 LANG=C", "braille")]
    [InlineData(GlyphMode.Auto, false, "LANG=ja_JP.eucJP", "ascii")]
    [InlineData(GlyphMode.Block, false, "LANG=C", "block")]
    [InlineData(GlyphMode.Braille, true, "TERM=linux", "braille")]
    [InlineData(GlyphMode.Ascii, true, "LANG=en_US.UTF-8", "ascii")]
    internal void Braille_needs_utf8_and_a_font_that_has_it(GlyphMode mode, bool utf8, string environment, string name)
    {
        var expected = name switch { "braille" => GlyphSet.Braille, "block" => GlyphSet.Block, _ => GlyphSet.Ascii };
        Assert.Same(expected, GlyphChoice.Decide(mode, Environment(environment), utf8));
    }

    [Theory]
    [InlineData(ThemeMode.Auto, ColorDepth.TrueColor, "", "dark")]
    [InlineData(ThemeMode.Auto, ColorDepth.TrueColor, "COLORFGBG=0;15", "light")]
    [InlineData(ThemeMode.Auto, ColorDepth.TrueColor, "COLORFGBG=15;0", "dark")]
    [InlineData(ThemeMode.Light, ColorDepth.TrueColor, "", "light")]
    [InlineData(ThemeMode.Light, ColorDepth.Sixteen, "", "16")]
    [InlineData(ThemeMode.Dark, ColorDepth.None, "", "mono")]
    [InlineData(ThemeMode.Mono, ColorDepth.TrueColor, "", "mono")]
    internal void A_theme_never_uses_more_colours_than_there_are(ThemeMode mode, ColorDepth depth, string environment, string name) =>
        Assert.Equal(name, Theme.Decide(mode, depth, Environment(environment)).Name);

    [Fact]
    public void Backgrounds_are_the_terminals_own_in_every_theme()
    {
        foreach (var theme in new[] { Theme.Dark, Theme.Light, Theme.Sixteen, Theme.Mono })
        {
            Assert.All(Enum.GetValues<Role>(), role => Assert.Equal(Colour.Own, theme[role].Bg));
        }
    }

    static Func<string, string?> Environment(string pairs)
    {
        var values = pairs.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Select(p => p.Split('=', 2)).ToDictionary(p => p[0], p => p[1]);
        return name => values.GetValueOrDefault(name);
    }
}
