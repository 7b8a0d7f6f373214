using Tpwatch.Lab.Pictures;
using Tpwatch.Reports;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen.Views;

public sealed class OverviewGoldenTests
{
    static readonly ViewState Selected = new() { Selected = 9 };

    static readonly ViewState Ended = new() { MayTakeStacks = false, MayMeasureItems = false };

    public static TheoryData<string> Pictures => [.. All.Keys];

    static Dictionary<string, (PoolReport Report, ViewState State, int Width, int Height, Look Look)> All { get; } = new()
    {
        ["burst.100x30.braille.dark"] = (Some.StarvingBurst(), Selected, 100, 30, Braille(Theme.Dark)),
        ["burst.80x24.braille.dark"] = (Some.StarvingBurst(), Selected, 80, 24, Braille(Theme.Dark)),
        ["burst.80x24.ascii.mono"] = (Some.StarvingBurst(), Selected, 80, 24, Ascii(Theme.Mono)),
        ["burst.100x30.ascii.mono"] = (Some.StarvingBurst(), Selected, 100, 30, Ascii(Theme.Mono)),
        ["burst.100x30.block.16"] = (Some.StarvingBurst(), new(), 100, 30, new(Theme.Sixteen, GlyphSet.Block)),
        ["burst.100x30.braille.light"] = (Some.StarvingBurst(), new(), 100, 30, Braille(Theme.Light)),
        ["burst.60x16.braille.dark"] = (Some.StarvingBurst(), new(), 60, 16, Braille(Theme.Dark)),
        ["burst.48x12.braille.dark"] = (Some.StarvingBurst(), new(), 48, 12, Braille(Theme.Dark)),
        ["burst.140x40.braille.dark"] = (Some.StarvingBurst(), Selected, 140, 40, Braille(Theme.Dark)),
        ["burst.200x50.braille.mono"] = (Some.StarvingBurst(), new(), 200, 50, Braille(Theme.Mono)),
        ["burst-now.80x24.braille.dark"] = (Some.StarvingBurst(12.2), new() { OffersStacks = true }, 80, 24, Braille(Theme.Dark)),
        ["zoomed.100x30.braille.dark"] = (Some.StarvingBurst(),
            Selected with { ScaleMs = 100, Right = Some.At(12.2) }, 100, 30, Braille(Theme.Dark)),
        ["zoomed.80x24.ascii.mono"] = (Some.StarvingBurst(),
            Selected with { ScaleMs = 100, Right = Some.At(12.2) }, 80, 24, Ascii(Theme.Mono)),
        ["silent.80x24.braille.dark"] = (Some.Undetected(), new() { OffersStacks = true }, 80, 24, Braille(Theme.Dark)),
        ["healthy.80x24.braille.dark"] = (Some.Healthy(), new(), 80, 24, Braille(Theme.Dark)),
        ["healthy.100x30.braille.dark"] = (Some.Healthy(), new(), 100, 30, Braille(Theme.Dark)),
        ["found.80x24.braille.dark"] = (SomeDeep.Stacks(), new(), 80, 24, Braille(Theme.Dark)),
        ["found.100x30.braille.dark"] = (Some.Found(), new(), 100, 30, Braille(Theme.Dark)),
        ["detail.100x30.braille.dark"] = (Some.Found(), new() { Show = new() { AllMarks = true } }, 100, 30, Braille(Theme.Dark)),
        ["empty.80x24.braille.dark"] = (Some.Empty(), new(), 80, 24, Braille(Theme.Dark)),
        ["unknown.100x30.braille.dark"] = (Some.Unknown(), new(), 100, 30, Braille(Theme.Dark)),
        ["loss.80x24.braille.dark"] = (Some.Lossy(), new(), 80, 24, Braille(Theme.Dark)),
        ["exited.80x24.braille.dark"] = (Some.Exited(), Ended, 80, 24, Braille(Theme.Dark)),
        ["frozen.80x24.braille.dark"] = (Some.StarvingBurst(11),
            new() { Freeze = new(Some.StarvingBurst(11), Some.StarvingBurst()) }, 80, 24, Braille(Theme.Dark)),
    };

    [Theory]
    [MemberData(nameof(Pictures))]
    public void The_picture_is_the_golden_one(string name)
    {
        var (report, state, width, height, look) = All[name];
        var grid = HeadlessScreen.FrameOf(new Scene(report, state), look, width, height);
        Golden.Verify($"Tui/{name}.txt", GridText.Of(grid, look.Theme));
    }

    [Theory]
    [MemberData(nameof(Pictures))]
    public void The_ascii_pictures_hold_ascii_alone(string name)
    {
        var (report, state, width, height, look) = All[name];
        var text = HeadlessScreen.FrameOf(new Scene(report, state), look with { Glyphs = GlyphSet.Ascii }, width, height).ToString();
        Assert.DoesNotContain(text, c => c >= 0x80);
    }

    static Look Braille(Theme theme) => new(theme, GlyphSet.Braille);

    static Look Ascii(Theme theme) => new(theme, GlyphSet.Ascii);
}
