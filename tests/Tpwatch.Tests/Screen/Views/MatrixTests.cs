using System.Text;
using System.Text.RegularExpressions;
using Tpwatch.Reports;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Frame;
using Tpwatch.Screen.FrontEnds.Ansi;
using Tpwatch.Screen.Picker;
using Tpwatch.Screen.State;
using Tpwatch.Tests.Screen.Picker;

namespace Tpwatch.Tests.Screen.Views;

/// <summary>
/// Every view at every size with every set of glyphs in every theme: what must hold of all of them. Golden files show a part of them.
/// </summary>
public sealed partial class MatrixTests
{
    static readonly (int Width, int Height)[] Sizes = [(60, 16), (80, 24), (100, 30), (140, 40), (200, 50)];
    static readonly (string Name, GlyphSet Set)[] Glyphs = [("braille", GlyphSet.Braille),
        ("block", GlyphSet.Block), ("ascii", GlyphSet.Ascii)];
    static readonly Theme[] Themes = [Theme.Dark, Theme.Light, Theme.Sixteen, Theme.Mono];

    static Dictionary<string, Func<Look, int, int, CellGrid>> Scenes { get; } = new()
    {
        ["overview"] = View(Some.StarvingBurst(), new() { Selected = 9 }),
        ["injections"] = View(Some.Found(), new() { View = ViewName.Injections, Selected = 9 }),
        ["injections-detail"] = View(Some.Found(), new() { View = ViewName.Injections, Selected = 9, Detail = true }),
        ["stacks"] = View(Some.Waiting(), new() { View = ViewName.Stacks }),
        ["latency"] = View(Some.Foretold(), new() { View = ViewName.Latency }),
        ["climbing"] = View(Some.StarvingBurst(), new() { View = ViewName.Climbing }),
        ["findings"] = View(Some.Found(), new() { View = ViewName.Findings }),
        ["loss"] = View(Some.Lossy(), new()),
        ["silent"] = View(Some.Silent(), new() { Prompt = new(':', "goto") }),
        ["help"] = View(Some.StarvingBurst(), new() { Help = true }),
        ["waiting"] = ScreenFrame.Waiting,
        ["picker"] = (look, width, height) => PickerView.Of(SomeProcesses.Scanned with { Pid = 39950 }, look, width, height),
    };

    public static TheoryData<string> Names => [.. Scenes.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_cell_holds_one_rune_of_one_column_and_the_frame_has_the_size_that_was_asked_for(string name) =>
        Each(name, (grid, what) =>
        {
            Assert.Equal(what.Size, (grid.Width, grid.Height));
            for (var y = 0; y < grid.Height; y++)
            {
                var runes = grid.Row(y).EnumerateRunes().ToList();
                Assert.True(runes.Count == what.Size.Width && runes.TrueForAll(r => Runes.IsNarrow(r.Value) && !Rune.IsControl(r)),
                    $"{what}, row {y}: {grid.Row(y)}");
            }
        });

    [Theory]
    [MemberData(nameof(Names))]
    public void Ascii_is_ascii(string name) => Each(name, (grid, what) =>
        Assert.True(what.Glyphs != "ascii" || grid.ToString().All(c => c < 0x80), $"{what}:\n{grid}"));

    [Theory]
    [MemberData(nameof(Names))]
    public void Mono_sends_no_colour_and_16_none_of_24_bits(string name) => Each(name, (grid, what) =>
    {
        var sent = FrameDiff.Between(null, grid);
        Assert.False(what.Theme == "mono" && Coloured.IsMatch(sent), $"{what} sends a colour");
        Assert.False(what.Theme == "16" && TrueColour.IsMatch(sent), $"{what} sends a colour of 24 bits");
    });

    [Fact]
    public void The_looks_differ_and_what_must_be_seen_is_seen_without_colour() => Each("overview", (grid, what) =>
    {
        var text = grid.ToString();
        Assert.Contains("STARVED", text, StringComparison.Ordinal);
        Assert.True(what.Theme == "mono" || Coloured.IsMatch(FrameDiff.Between(null, grid)), $"{what} has no colour");
    });

    static Func<Look, int, int, CellGrid> View(PoolReport report, ViewState state) =>
        (look, width, height) => ScreenFrame.Of(new Scene(report, state), look, width, height);

    static void Each(string name, Action<CellGrid, (string Scene, (int Width, int Height) Size, string Glyphs, string Theme)> check)
    {
        foreach (var (width, height) in Sizes)
        {
            foreach (var (glyphs, set) in Glyphs)
            {
                foreach (var theme in Themes)
                {
                    check(Scenes[name](new Look(theme, set), width, height), (name, (width, height), glyphs, theme.Name));
                }
            }
        }
    }

    [GeneratedRegex("\e\\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])(;[0-9;]*)?m")]
    static partial Regex Coloured { get; }

    [GeneratedRegex("\e\\[([0-9;]*;)?[34]8;[0-9;]*m")]
    static partial Regex TrueColour { get; }
}
