using System.Text;
using System.Xml.Linq;
using Tpwatch.Lab.Pictures;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen.Pictures;

public sealed class GridSvgTests
{
    static readonly XNamespace Svg = "http://www.w3.org/2000/svg";

    [Fact]
    public void Words_stand_in_their_columns_with_their_looks()
    {
        var grid = new CellGrid(12, 2);
        Put(grid, (1, 0), "S 12", new Style(0xD55E00, Attr: CellAttributes.Bold));
        Put(grid, (0, 1), "<&\"", new Style(Attr: CellAttributes.Reverse));
        var picture = XDocument.Parse(GridSvg.Of(grid, "a < b"));
        var texts = picture.Descendants(Svg + "text").ToList();
        Assert.Equal(["S", "12", "<&\""], texts.Select(t => t.Value));
        Assert.Equal(["18", "34", "10"], texts.Select(t => t.Attribute("x")!.Value));
        Assert.Equal(["8", "16", "24"], texts.Select(t => t.Attribute("textLength")!.Value));
        Assert.Equal(["#D55E00", "#D55E00", "#1E1E1E"], texts.Select(t => t.Attribute("fill")!.Value));
        Assert.Equal("bold", texts[0].Attribute("font-weight")?.Value);
        Assert.Equal("#D4D4D4", picture.Descendants(Svg + "rect").Last().Attribute("fill")!.Value);
        Assert.Equal("a < b", picture.Descendants(Svg + "title").Single().Value);
    }

    [Theory]
    [InlineData('⣀', 2)]
    [InlineData('⠿', 6)]
    [InlineData('█', 1)]
    [InlineData('▁', 1)]
    [InlineData('▒', 4)]
    [InlineData('┊', 4)]
    [InlineData('─', 2)]
    [InlineData('┬', 3)]
    public void Dots_blocks_and_lines_are_outlines_that_fonts_cannot_change(char rune, int boxes)
    {
        var grid = new CellGrid(1, 1);
        grid[0, 0] = new Cell(new Rune(rune));
        var picture = XDocument.Parse(GridSvg.Of(grid, "x"));
        Assert.Empty(picture.Descendants(Svg + "text"));
        Assert.Equal(boxes, picture.Descendants(Svg + "path").Single().Attribute("d")!.Value.Count(c => c == 'M'));
    }

    [Fact]
    public void Every_rune_of_every_set_of_glyphs_is_drawn()
    {
        foreach (var set in (GlyphSet[])[GlyphSet.Braille, GlyphSet.Block, GlyphSet.Ascii])
        {
            var picture = GridSvg.Of(
                HeadlessScreen.FrameOf(new Scene(Some.StarvingBurst(), new()), new Look(Theme.Dark, set), 100, 30), "x");
            Assert.NotEmpty(XDocument.Parse(picture).Descendants(Svg + "text"));
        }
    }

    static void Put(CellGrid grid, (int X, int Y) at, string text, Style style)
    {
        for (var i = 0; i < text.Length; i++)
        {
            grid[at.X + i, at.Y] = new Cell(new Rune(text[i]), style.Fg, style.Bg, style.Attr);
        }
    }
}
