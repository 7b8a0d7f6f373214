using System.Text;
using System.Text.RegularExpressions;
using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Frame;
using Tpwatch.Screen.FrontEnds.Ansi;
using Tpwatch.Screen.State;

namespace Tpwatch.Tests.Screen.FrontEnds.Ansi;

public sealed class FrameDiffTests
{
    static readonly string Alphabet = " abcS▒┊⣀⡇█×";
    static readonly int[] Colours = [Colour.Own, Colour.Palette(1), Colour.Palette(14), 0xD55E00, 0x000000, 0xFFFFFF];

    [Fact]
    public void What_a_terminal_shows_after_the_difference_is_the_second_frame()
    {
        var random = new Random(2201);
        for (var round = 0; round < 2000; round++)
        {
            var (width, height) = (random.Next(0, 40), random.Next(0, 12));
            var before = Scribble(random, new CellGrid(width, height), density: 0.5);
            var after = Scribble(random, Changed(before), random.NextDouble() * random.NextDouble());
            var terminal = new Decoder(before);
            terminal.Feed(FrameDiff.Between(before, after));
            Assert.True(terminal.Grid.SameAs(after), $"round {round}");
            Assert.Equal(Style.Plain, terminal.Now);
            Assert.False(terminal.InUpdate);
        }
    }

    [Fact]
    public void Nothing_known_of_the_terminal_means_clear_and_draw_all()
    {
        var random = new Random(7);
        var after = Scribble(random, new CellGrid(30, 8), 0.7);
        var terminal = new Decoder(Scribble(random, new CellGrid(30, 8), 0.7));
        terminal.Feed(FrameDiff.Between(null, after));
        Assert.True(terminal.Grid.SameAs(after));
    }

    [Fact]
    public void Equal_frames_need_no_output()
    {
        var grid = Scribble(new Random(1), new CellGrid(20, 5), 0.5);
        Assert.Equal("", FrameDiff.Between(grid, Changed(grid)));
    }

    [Fact]
    public void A_changed_number_costs_a_jump_and_its_digits()
    {
        var before = new CellGrid(100, 30);
        var after = new CellGrid(100, 30) { [40, 2] = new Cell(new Rune('7')) };
        Assert.Equal("\e[?2026h\e[3;41H7\e[?2026l", FrameDiff.Between(before, after));
    }

    [Fact]
    public void Without_colours_no_colour_is_written()
    {
        var grid = new CellGrid(40, 1);
        var pane = new Pane(grid, new Look(Theme.Mono, GlyphSet.Braille));
        foreach (var role in Enum.GetValues<Role>())
        {
            pane.Put((int)role, 0, 'x', role);
        }

        Assert.DoesNotMatch(new Regex("\e\\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]"), FrameDiff.Between(null, grid));
    }

    [Fact]
    public void Following_a_burst_costs_less_than_sixty_kilobytes_a_second()
    {
        var look = new Look(Theme.Dark, GlyphSet.Braille);
        CellGrid? shown = null;
        var sizes = new List<int>();
        for (var tick = 0; tick < 100; tick++)
        {
            var frame = ScreenFrame.Of(new Scene(Some.StarvingBurst(6 + tick / 10.0), new ViewState()), look, 100, 30);
            sizes.Add(Encoding.UTF8.GetByteCount(FrameDiff.Between(shown, frame)));
            shown = frame;
        }

        TestContext.Current.SendDiagnosticMessage($"first {sizes[0]} B, worst {sizes.Skip(1).Max()} B, {sizes.Skip(1).Sum() / 10} B/s");
        Assert.InRange(sizes.Max(), 1, 20_000);
        Assert.InRange(sizes.Skip(1).Sum() / 10, 1, 60_000);
    }

    static CellGrid Changed(CellGrid from)
    {
        var to = new CellGrid(from.Width, from.Height);
        for (var i = 0; i < from.Width * from.Height; i++)
        {
            to[i % from.Width, i / from.Width] = from[i % from.Width, i / from.Width];
        }

        return to;
    }

    static CellGrid Scribble(Random random, CellGrid grid, double density)
    {
        for (var y = 0; y < grid.Height; y++)
        {
            for (var x = 0; x < grid.Width; x++)
            {
                if (random.NextDouble() < density)
                {
                    grid[x, y] = new Cell(
                        new Rune(Alphabet[random.Next(Alphabet.Length)]), Pick(random), Pick(random), (Attr)random.Next(16));
                }
            }
        }

        return grid;
    }

    static int Pick(Random random) => Colours[random.Next(Colours.Length)];
}
