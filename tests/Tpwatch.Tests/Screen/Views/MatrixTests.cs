using System.Text;
using Tpwatch.Lab.Pictures;
using Tpwatch.Reports;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen.Views;

/// <summary>
/// Every view and dialog at every size with every set of glyphs in every theme: what must hold of all of them. Golden files show a part of
/// them.
/// </summary>
public sealed class MatrixTests
{
    static readonly (int Width, int Height)[] Sizes = [(60, 16), (80, 24), (100, 30), (140, 40), (200, 50)];
    static readonly GlyphSet[] Glyphs = [GlyphSet.Braille, GlyphSet.Block, GlyphSet.Ascii];
    static readonly Theme[] Themes = [Theme.Dark, Theme.Light, Theme.Sixteen, Theme.Mono];

    static Dictionary<string, (PoolReport Report, ViewState State, string[] Keys)> Scenes { get; } = new()
    {
        ["overview"] = (Some.StarvingBurst(), new() { Selected = 9 }, []),
        ["injections"] = (Some.Found(), new() { View = ViewName.Injections, Selected = 9 }, []),
        ["injections-detail"] = (Some.Found(), new() { View = ViewName.Injections, Selected = 9, Detail = true }, []),
        ["stacks"] = (SomeDeep.Stacks(), new() { View = ViewName.Stacks }, []),
        ["latency"] = (SomeDeep.Stacks(), new() { View = ViewName.Latency }, []),
        ["climbing"] = (Some.StarvingBurst(), new() { View = ViewName.Climbing }, []),
        ["findings"] = (Some.Found(), new() { View = ViewName.Findings }, []),
        ["loss"] = (Some.Lossy(), new(), ["L"]),
        ["silent"] = (Some.Undetected(), new(), [":", "g", "o"]),
        ["help"] = (Some.StarvingBurst(), new(), ["?"]),
    };

    public static TheoryData<string> Names => [.. Scenes.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_cell_holds_what_the_terminal_can_show(string name)
    {
        var (report, state, keys) = Scenes[name];
        foreach (var glyphs in Glyphs)
        {
            foreach (var theme in Themes)
            {
                using var screen = HeadlessScreen.Of(() => report, () => null, new(), new(theme, glyphs), 100, 30);
                screen.Choose(state);
                foreach (var key in keys)
                {
                    screen.Press(key);
                }

                foreach (var size in Sizes)
                {
                    screen.Resize(size.Width, size.Height);
                    Check(screen.Shown, size, glyphs, theme, name);
                }
            }
        }
    }

    static void Check(CellGrid grid, (int Width, int Height) size, GlyphSet glyphs, Theme theme, string name)
    {
        Assert.Equal(size, (grid.Width, grid.Height));
        for (var y = 0; y < grid.Height; y++)
        {
            var runes = grid.Row(y).EnumerateRunes().ToList();
            var what = $"{name} {size} {theme.Name}, row {y}: {grid.Row(y)}";
            Assert.True(runes.Count == size.Width && runes.TrueForAll(r => IsShown(r) && !Rune.IsControl(r)), what);
            Assert.True(!glyphs.IsAscii || runes.TrueForAll(r => r.IsAscii), what);
            for (var x = 0; x < grid.Width; x++)
            {
                var (fg, bg) = (grid[x, y].Fg, grid[x, y].Bg);
                Assert.False(theme.Name == "mono" && (fg, bg) != (Colour.Own, Colour.Own), $"{what} has a colour");
                Assert.False(theme.Name == "16" && (IsTrueColor(fg) || IsTrueColor(bg)), $"{what} has a colour of 24 bits");
            }
        }

        // Dialogs cover it.
        Assert.Contains("STARVED", name is "silent" or "loss" or "help" ? "STARVED" : grid.ToString(), StringComparison.Ordinal);
    }

    // The library's scroll bars have arrows.
    static bool IsShown(Rune rune) => Runes.IsNarrow(rune.Value) || rune.Value is '▲' or '▼';

    static bool IsTrueColor(int colour) => colour != Colour.Own && !Colour.IsPalette(colour, out _);
}
