using Tpwatch.Reports;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Frame;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;
using Tpwatch.Tests.Render;
using Tpwatch.Tests.Replay;
using Tpwatch.Verbs;
using Tpwatch.WhatIf.Study;

namespace Tpwatch.Tests.Screen.Views;

/// <summary>What lies over the views, and the views of what costs something.</summary>
public sealed class ActionGoldenTests
{
    static readonly Look Dark = new(Theme.Dark, GlyphSet.Braille);

    static readonly Look Plain = new(Theme.Mono, GlyphSet.Ascii);

    static readonly ViewState Ended = new() { MayTakeStacks = false, MayMeasureItems = false };

    public static TheoryData<string> Pictures => [.. All.Keys];

    static Dictionary<string, (PoolReport Report, ViewState State)> All { get; } = new()
    {
        ["menu"] = (Some.Found(), new() { Menu = Menu.Of(Some.Found()) }),
        ["check"] = (Some.Lossy(), new() { Info = InfoText.SelfCheck }),
        ["loss"] = (Some.Lossy(), new() { Info = InfoText.Loss }),
        ["stacks-seen"] = (SomeDeep.Stacks(), new() { View = ViewName.Stacks }),
        ["latency-seen"] = (SomeDeep.Stacks(), new() { View = ViewName.Latency, Show = new() { Times = ItemChoice.Both } }),
        ["items-seen"] = (DeepReports.Starved(), Ended with { View = ViewName.Latency, ScaleMs = 500 }),
        ["lock-owner"] = (DeepReports.Starved(), Ended with { View = ViewName.Stacks }),
        ["requests"] = (RequestReports.Starved(), Ended with { ScaleMs = 500 }),
        ["history"] = (SomeDeep.History(), new() { ScaleMs = 30_000 }),
    };

    [Theory]
    [MemberData(nameof(Pictures))]
    public void The_picture_is_the_golden_one(string name)
    {
        var (report, state) = All[name];
        Verify(name, new(report, state));
    }

    [Fact]
    public async Task The_imagined_curve_is_told_apart_by_its_glyph()
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        var answer = Imagined.Of(report, new() { Min = 16 }).Answer;
        var state = new ViewState { Imagined = answer };
        var scene = new Scene(report, state);
        Verify("whatif", scene with { State = ImaginedSpan.Show(scene, 60) });
    }

    [Fact]
    public async Task The_imagined_curve_is_drawn_at_any_size_zoom_and_place()
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        var random = new Random(11);
        var answers =
            new WhatIfChange[] { new() { Min = 16 }, new() { Async = true }, new() { Processors = 1, Min = 1 }, new() { Max = 8 } }
                .Select(c => Imagined.Of(report, c).Answer!).ToList();
        for (var round = 0; round < 150; round++)
        {
            var state = new ViewState
            {
                Imagined = answers[random.Next(answers.Count)], ScaleMs = new[] { 50, 100, 250, 1000, 60_000 }[random.Next(5)],
                Right = random.Next(3) == 0 ? null : report.Timeline.Start.PlusMs(random.NextDouble() * 40_000 - 5000),
                Scroll = random.Next(9),
            };
            var (width, height) = (random.Next(0, 230), random.Next(0, 70));
            var grid = ScreenFrame.Of(new(report, state), random.Next(2) == 0 ? Dark : Plain, width, height);
            Assert.Equal((width, height), (grid.Width, grid.Height));
        }
    }

    [Fact]
    public void Waiting_says_what_for_and_how_long()
    {
        var app = new WaitingApp(
            new("OrderApi", TimeSpan.FromMinutes(5), TimeSpan.FromMilliseconds(250)) { LastTry = "no .NET process is called 'OrderApi'" },
            Plain, TimeProvider.System);
        app.Tick();
        Golden.Verify("Tui/waiting.80x24.ascii.mono.txt", GridText.Of(app.Render(80, 24), Plain.Theme));
        for (var width = 0; width < 120; width += 7)
        {
            Assert.Equal(width, app.Render(width, width / 3).Width);
        }

        Assert.Equal((Reply.Quit, Reply.Ignored), (app.OnKey(ScreenScript.ToPress("q")), app.OnKey(ScreenScript.ToPress("w"))));
        Assert.False(app.Tick());
    }

    static void Verify(string name, Scene scene)
    {
        Golden.Verify($"Tui/{name}.100x30.braille.dark.txt", GridText.Of(ScreenFrame.Of(scene, Dark, 100, 30), Dark.Theme));
        Golden.Verify($"Tui/{name}.80x24.ascii.mono.txt", GridText.Of(ScreenFrame.Of(scene, Plain, 80, 24), Plain.Theme));
    }
}
