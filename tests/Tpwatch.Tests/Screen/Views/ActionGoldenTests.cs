using Tpwatch.Cli;
using Tpwatch.Lab.Pictures;
using Tpwatch.Reports;
using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Tests.Render;
using Tpwatch.Tests.Replay;
using Tpwatch.WhatIf;

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
        ["stacks-seen"] = (SomeDeep.Stacks(), new() { View = ViewName.Stacks }),
        ["latency-seen"] = (SomeDeep.Stacks(), new() { View = ViewName.Latency, Show = new() { Times = ItemDurationChoice.Both } }),
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
        var answer = WhatIfRunner.Of(report, new() { Min = 16 }).Answer;
        var state = new ViewState { Simulated = answer };
        var scene = new Scene(report, state);
        Verify("whatif", scene with { State = SimulatedSpan.Show(scene, 60) });
    }

    [Fact]
    public async Task The_imagined_curve_is_drawn_at_any_size_zoom_and_place()
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        var random = new Random(11);
        var answers =
            new WhatIfChange[] { new() { Min = 16 }, new() { Async = true }, new() { Processors = 1, Min = 1 }, new() { Max = 8 } }
                .Select(c => WhatIfRunner.Of(report, c).Answer!).ToList();
        using var screen = HeadlessScreen.Of(() => report, () => null, new(), Dark, 100, 30);
        for (var round = 0; round < 150; round++)
        {
            screen.Choose(new ViewState
            {
                Simulated = answers[random.Next(answers.Count)], ScaleMs = new[] { 50, 100, 250, 1000, 60_000 }[random.Next(5)],
                Right = random.Next(3) == 0 ? null : report.Timeline.Start.PlusMs(random.NextDouble() * 40_000 - 5000),
            });
            var (width, height) = (random.Next(0, 230), random.Next(0, 70));
            screen.Resize(width, height);
            Assert.Equal((width, height), (screen.Shown.Width, screen.Shown.Height));
        }
    }

    /// <summary>The dialogs: what opens them, and what is typed in them.</summary>
    [Theory]
    [InlineData("help", "?")]
    [InlineData("help-search", "? z o o")]
    [InlineData("help-injections", "2 ?")]
    [InlineData("palette", ":")]
    [InlineData("palette-search", ": s a v")]
    [InlineData("palette-goto", ": g o t o space")]
    [InlineData("menu", "w")]
    [InlineData("save", "s")]
    [InlineData("check", "i")]
    [InlineData("loss", "L")]
    [InlineData("filter", "2 / S")]
    public void A_dialog_is_the_golden_one(string name, string keys)
    {
        foreach (var (look, width, height) in new[] { (Dark, 100, 30), (Plain, 80, 24) })
        {
            using var screen = HeadlessScreen.Of(() => Some.Lossy(), () => null, new()
            {
                Save = (_, _) => "", Imagine = (_, _) => new(null, "not here"),
            }, look, width, height);
            foreach (var key in keys.Split(' '))
            {
                screen.Press(key);
            }

            Golden.Verify(FormattableString.Invariant($"Tui/{name}.{width}x{height}.{look.Theme.Name}.txt"),
                GridText.Of(screen.Shown, look.Theme));
        }
    }

    [Fact]
    public async Task A_what_if_answers_in_its_dialog()
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        using var screen = HeadlessScreen.Of(() => report, () => null, new() { Imagine = WhatIfRunner.Of }, Dark, 100, 30);
        screen.Press("w");
        screen.Press("2");
        screen.Tick();
        Golden.Verify("Tui/menu-answer.100x30.dark.txt", GridText.Of(screen.Shown, Theme.Dark));
    }

    [Fact]
    public void Waiting_says_what_for_and_how_long()
    {
        ProcessWaitWindow window = new(
            new("OrderApi", TimeSpan.FromMinutes(5), TimeSpan.FromMilliseconds(250)) { LastTry = "no .NET process is called 'OrderApi'" },
            Plain, TimeProvider.System);
        using var screen = HeadlessScreen.Of(() => (window, window.Tick), Plain, 80, 24);
        Golden.Verify("Tui/waiting.80x24.ascii.mono.txt", GridText.Of(screen.Shown, Plain.Theme));
        for (var width = 0; width < 120; width += 7)
        {
            screen.Resize(width, width / 3);
            Assert.Equal(width, screen.Shown.Width);
        }

        screen.Press("w");
        Assert.False(screen.HasQuit);
        screen.Press("q");
        Assert.True(screen.HasQuit);
    }

    static void Verify(string name, Scene scene)
    {
        Golden.Verify($"Tui/{name}.100x30.braille.dark.txt", GridText.Of(HeadlessScreen.FrameOf(scene, Dark, 100, 30), Dark.Theme));
        Golden.Verify($"Tui/{name}.80x24.ascii.mono.txt", GridText.Of(HeadlessScreen.FrameOf(scene, Plain, 80, 24), Plain.Theme));
    }
}
