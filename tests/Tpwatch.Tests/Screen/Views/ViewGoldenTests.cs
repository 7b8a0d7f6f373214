using Tpwatch.Lab.Pictures;
using Tpwatch.Reports;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen.Views;

/// <summary>Every view beside the overview, at each breakpoint.</summary>
public sealed class ViewGoldenTests
{
    static readonly (int Width, int Height)[] Sizes = [(80, 24), (100, 30), (140, 40)];

    static readonly Look Dark = new(Theme.Dark, GlyphSet.Braille);

    static readonly Look Plain = new(Theme.Mono, GlyphSet.Ascii);

    public static TheoryData<string> Pictures => [.. All.Keys];

    static Dictionary<string, (PoolReport Report, ViewState State, (int Width, int Height) Size, Look Look)> All { get; } = new(
        Scenes().SelectMany(Each))
    {
        ["injections-detail.100x30.braille.dark"] = (Some.Found(),
            new() { View = ViewName.Injections, Selected = 9, Detail = true }, (100, 30), Dark),
        ["injections-open.80x24.braille.dark"] = (Some.Waiting(),
            new() { View = ViewName.Injections, OffersStacks = true }, (80, 24), Dark),
        ["injections-filtered.80x24.braille.dark"] = (Some.Found(), Filtered("!C delay>900"), (80, 24), Dark),
        ["findings-undecided.80x24.braille.dark"] = (Some.Found(), new() { View = ViewName.Findings, Rule = "TPW009" }, (80, 24), Dark),
        ["findings-none.80x24.braille.dark"] = (Some.Empty() with { Clear = ["TPW013", "TPW014"] },
            new() { View = ViewName.Findings }, (80, 24), Dark),
        ["countdown.100x30.braille.dark"] = (Some.Waiting(), new() { OffersStacks = true }, (100, 30), Dark),
        ["compensated.80x24.braille.dark"] = (Some.Compensated(), new(), (80, 24), Dark),
        ["measured.80x24.braille.dark"] = (Some.StarvingBurst(),
            new() { Measure = new(Some.At(6), Some.At(12)), Right = Some.At(18) }, (80, 24), Dark),
    };

    [Theory]
    [MemberData(nameof(Pictures))]
    public void The_picture_is_the_golden_one(string name)
    {
        var (report, state, size, look) = All[name];
        var grid = HeadlessScreen.FrameOf(new Scene(report, state), look, size.Width, size.Height);
        Golden.Verify($"Tui/{name}.txt", GridText.Of(grid, look.Theme));
    }

    static ViewState Filtered(string filter) => new() { View = ViewName.Injections, List = new() { Filter = filter } };

    static IEnumerable<(string Name, PoolReport Report, ViewState State)> Scenes()
    {
        yield return ("injections", Some.Found(), new() { View = ViewName.Injections, Selected = 9 });
        yield return ("stacks", Some.Waiting(), new() { View = ViewName.Stacks, OffersStacks = true });
        yield return ("latency", Some.Foretold(), new() { View = ViewName.Latency, OffersStacks = true });
        yield return ("climbing", Some.StarvingBurst(), new() { View = ViewName.Climbing });
        yield return ("findings", Some.Found(), new() { View = ViewName.Findings });
    }

    static IEnumerable<KeyValuePair<string, (PoolReport Report, ViewState State, (int Width, int Height) Size, Look Look)>> Each(
        (string Name, PoolReport Report, ViewState State) scene)
    {
        foreach (var (width, height) in Sizes)
        {
            yield return new(FormattableString.Invariant($"{scene.Name}.{width}x{height}.braille.dark"),
                (scene.Report, scene.State, (width, height), Dark));
        }

        yield return new($"{scene.Name}.80x24.ascii.mono", (scene.Report, scene.State, (80, 24), Plain));
        yield return new($"{scene.Name}.60x16.block.16", (scene.Report, scene.State, (60, 16), new(Theme.Sixteen, GlyphSet.Block)));
        yield return new($"{scene.Name}.200x50.braille.light", (scene.Report, scene.State, (200, 50), new(Theme.Light, GlyphSet.Braille)));
    }
}
