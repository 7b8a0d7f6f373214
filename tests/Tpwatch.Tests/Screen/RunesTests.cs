using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen;

public sealed class RunesTests
{
    [Theory]
    [InlineData("OrderApi", "OrderApi")]
    [InlineData("a\tb\u001b[31mc\u009b", "a?b?[31mc?")]
    [InlineData("订单", "??")]
    [InlineData("e\u0301", "e?")]
    [InlineData("😀", "?")]
    [InlineData("\u200bx\u00ad", "?x?")]
    [InlineData("Größe", "Größe")]
    public void A_text_from_elsewhere_takes_one_column_a_rune(string given, string shown) =>
        Assert.Equal(shown, Put(given, GlyphSet.Braille));

    [Theory]
    [InlineData("goal × 1 s … ≥ 80", "goal x 1 s . > 80")]
    [InlineData("Größe", "Gr??e")]
    public void The_ascii_set_shows_ascii_alone(string given, string shown) => Assert.Equal(shown, Put(given, GlyphSet.Ascii));

    static string Put(string text, GlyphSet glyphs)
    {
        var grid = new CellGrid(text.EnumerateRunes().Count(), 1);
        new Pane(grid, new Look(Theme.Mono, glyphs)).Put(0, 0, text);
        return grid.Row(0);
    }
}
