using Tpwatch.Core;
using Tpwatch.Lab.Pictures;
using Tpwatch.Reports;
using Tpwatch.Screen;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen;

public sealed class FuzzTests
{
    static readonly string[] Names = ["a", "OrderApi", "订单服务", "x\u001b[2Jy", new('n', 300), "", "e\u0301\u200d"];
    static readonly GlyphSet[] Sets = [GlyphSet.Braille, GlyphSet.Block, GlyphSet.Ascii];
    static readonly Theme[] Themes = [Theme.Dark, Theme.Light, Theme.Sixteen, Theme.Mono];
    static readonly string[] Keys = ["space", "f", "left", "right", "[", "]",
        "+", "-", "=", "h", "l", "g", "G", "?", "esc", "F5", "x", "ctrl+a",
        "1", "2", "3", "4", "5", "6", "up", "down", "enter", "o", "n", "N",
        "v", "c", "/", ":", "y", "s", "z", "m", "pgup", "pgdn", "tab", "back",
        "w", "t", "a", "b", "u", "p", "d", "e", "P", ",", ".", "i", "L", "R", "*", "9", "j"];

    [Fact]
    public void Any_report_at_any_size_draws_narrow_runes_in_every_cell()
    {
        var random = new Random(4711);
        for (var round = 0; round < 15; round++)
        {
            var look = new Look(Pick(random, Themes), Pick(random, Sets));
            var report = Report(random);
            using var screen = HeadlessScreen.Of(
                () => report, () => random.Next(5) == 0 ? new("BEHIND", "1.8 s reading") : null, new(), look, random.Next(0, 250),
                random.Next(0, 120));
            for (var key = random.Next(24); key > 0; key--)
            {
                screen.Press(Pick(random, Keys));
                Assert.False(screen.HasQuit);
                if (random.Next(4) == 0)
                {
                    report = Report(random);
                    screen.Resize(random.Next(0, 250), random.Next(0, 120));
                }

                screen.Tick();
            }

            screen.Resize(random.Next(0, 251), random.Next(0, 120));
            Check(screen.Shown, look.Glyphs.IsAscii);
        }
    }

    /// <summary>The mouse may be anywhere, and do anything there.</summary>
    [Fact]
    public void Clicks_drags_and_the_wheel_leave_a_whole_picture_wherever_they_are()
    {
        var random = new Random(815);
        using var screen = HeadlessScreen.Of(
            () => SomeDeep.Stacks(), () => null, new(), new Look(Theme.Dark, GlyphSet.Braille), 100, 30);
        for (var step = 0; step < 400 && !screen.HasQuit; step++)
        {
            var (x, y) = (random.Next(100), random.Next(29));
            switch (random.Next(5))
            {
                case 0: screen.Wheel(x, y, random.Next(2) == 0); break;
                case 1: screen.Drag(x, random.Next(100), y); break;
                case 2: screen.Click(x, y, twice: true); break;
                case 3: screen.Press(Pick(random, Keys)); break;
                default: screen.Click(x, y); break;
            }
        }

        Assert.False(screen.HasQuit);
        Check(screen.Shown, ascii: false);
    }

    [Fact]
    public void Every_size_up_to_a_big_screen_can_be_drawn()
    {
        using var screen = HeadlessScreen.Of(
            () => Some.Found(), () => null, new(), new Look(Theme.Dark, GlyphSet.Braille), 100, 30);
        screen.Choose(new ViewState { Selected = 5 });
        for (var width = 0; width <= 210; width += 1 + width / 10)
        {
            for (var height = 0; height <= 60; height += 1 + height / 10)
            {
                screen.Resize(width, height);
                var grid = screen.Shown;
                Assert.Equal((width, height), (grid.Width, grid.Height));
                if (width >= LiveWindow.MinWidth && height >= LiveWindow.MinHeight)
                {
                    Assert.Contains("q quit", grid.Row(height - 1), StringComparison.Ordinal);
                    Assert.Contains("#5 S: pool added a thread (starvation)", grid.ToString(), StringComparison.Ordinal);
                    Assert.Contains("What  ", grid.ToString(), StringComparison.Ordinal);
                }
            }
        }
    }

    [Theory]
    [InlineData(ViewName.Injections)]
    [InlineData(ViewName.Stacks)]
    [InlineData(ViewName.Latency)]
    [InlineData(ViewName.Climbing)]
    [InlineData(ViewName.Findings)]
    internal void Every_view_fills_every_size(ViewName view)
    {
        using var screen = HeadlessScreen.Of(
            () => Some.Found(), () => null, new(), new Look(Theme.Dark, GlyphSet.Ascii), 100, 30);
        for (var width = LiveWindow.MinWidth; width <= 210; width += 1 + width / 8)
        {
            for (var height = LiveWindow.MinHeight; height <= 60; height += 1 + height / 6)
            {
                screen.Choose(new ViewState { View = view, Selected = 5, Detail = height % 2 == 0 });
                screen.Resize(width, height);
                Check(screen.Shown, ascii: true);
                Assert.Contains("q quit", screen.Shown.Row(height - 1), StringComparison.Ordinal);
                Assert.Contains("STARVED for 11.1 s, ended", screen.Shown.Row(2), StringComparison.Ordinal);
            }
        }
    }

    static void Check(CellGrid grid, bool ascii)
    {
        for (var y = 0; y < grid.Height; y++)
        {
            Assert.Equal(grid.Width, grid.Row(y).EnumerateRunes().Count());
            Assert.All(
                grid.Row(y).EnumerateRunes(),
                r => Assert.True((Runes.IsNarrow(r.Value) || r.Value is '▲' or '▼') && (!ascii || r.IsAscii), $"rune {r.Value:X}"));
        }
    }

    static PoolReport Report(Random random)
    {
        var seconds = random.Next(3) == 0 ? 0 : random.NextDouble() * 40;
        var report = Some.Report(Math.Max(0.05, seconds), _ => Bucket(random));
        var span = Span(random);
        return report with
        {
            Timeline = report.Timeline with
            {
                Target = Some.Target with
                {
                    Name = Pick(random, Names),
                    Pid = random.Next(),
                    MinWorkers = new(Maybe(random, 40000), SettingSource.Event),
                },
                Quality = report.Timeline.Quality with
                {
                    Lost = random.NextInt64(),
                    LossUnknown = random.Next(2) == 0,
                    LossSpans = random.Next(3) == 0 ? [span] : [],
                },
                Buckets = random.Next(9) == 0 ? BucketSeries.Of(Some.Start, []) : report.Timeline.Buckets,
            },
            InjectionDelays = [.. Enumerable.Range(1, random.Next(40)).Select(n => InjectionDelay(random, n))
                .OrderBy(g => g.End).Select((g, i) => g with { Number = i + 1 })],
            Episodes = [.. Enumerable.Range(0, random.Next(3))
                .Select(_ => new StarvedEpisode(Span(random), Pick(random, Enum.GetValues<Verdict>()), random.Next(2) == 0, 1))],
            Verdict = Pick(random, Enum.GetValues<Verdict>()),
            IsNow = random.Next(2) == 0,
            StarvedMs = random.NextDouble() * 1e7,
            End = Pick(random, Enum.GetValues<SessionEnd>()),
            Findings = [.. Enumerable.Range(0, random.Next(4)).Select(n => Finding(random, n))],
            Undecided = [.. Enumerable.Range(0, random.Next(5))
                .Select(n => new Undecided($"TPW1{n}", Pick(random, Names), MissingKind.Stacks))],
            Clear = [.. Enumerable.Range(0, random.Next(9)).Select(n => $"TPW02{n}")],
            QueueDelay = random.Next(2) == 0 ? null : Distribution(random),
            RunTime = random.Next(2) == 0 ? null : Distribution(random),
            Blockers = random.Next(2) == 0 ? null : [.. Enumerable.Range(0, random.Next(9)).Select(_ => Blocker(random))],
            Headline = string.Join(' ', Enumerable.Repeat(Pick(random, Names), random.Next(30))),
        };
    }

    static Bucket Bucket(Random random)
    {
        var workers = random.Next(4) == 0 ? -1 : random.Next(random.Next(2) == 0 ? 20 : 40000);
        return new(workers, workers < 0 ? -1 : workers + random.Next(3), random.Next(-1, 30),
            random.NextInt64(-1, random.Next(2) == 0 ? 100 : long.MaxValue),
            random.Next(4) == 0 ? float.NaN : random.NextSingle() * 1e6f,
            random.Next(4) == 0 ? float.NaN : random.NextSingle() * 1.5f, random.Next(30) == 0);
    }

    static InjectionDelay InjectionDelay(Random random, int number)
    {
        var end = Some.At(random.NextDouble() * 45 - 2);
        return new()
        {
            Number = number, Start = random.Next(3) == 0 ? null : end.PlusMs(-random.NextDouble() * 9000),
            StartBasis = Basis.Inferred, End = end,
            EndBasis = Basis.Observed, Reason = random.Next(4) == 0 ? null : (AdjustmentReason)random.Next(11),
            TargetThreadsBefore = Maybe(random, 99), TargetThreadsAfter = Maybe(random, 99),
            Verdict = Pick(random, Enum.GetValues<DelayVerdict>()),
            Mechanism = Pick(random, Enum.GetValues<Mechanism>()), Because = Pick(random, Names),
            Windows = [.. Enumerable.Range(0, random.Next(5)).Select(i => new DelayWindow(i * 501, i * 501 + random.Next(40)))],
            Ticks = [.. Enumerable.Range(0, random.Next(5))
                .Select(i => new GateCheck(end.PlusMs(-i * 501), null, null, i == 0, "why", true, Basis.Inferred))],
        };
    }

    static Finding Finding(Random random, int number)
    {
        var span = Span(random);
        return new($"TPW00{number}", Pick(random, Names), Pick(random, Enum.GetValues<Severity>()),
            Pick(random, Enum.GetValues<Confidence>()), span.From, span.To,
            string.Join(' ', Enumerable.Repeat(Pick(random, Names), random.Next(60))),
            [.. Enumerable.Range(0, random.Next(9)).Select(_ =>
                new Evidence(Pick(random, Names), random.Next(3) == 0 ? null : random.NextDouble() * 1e9, Pick(random, Names), "x"))],
            [.. Enumerable.Range(0, random.Next(5))
                .Select(_ => new Remedy(Pick(random, Names), random.Next(2) == 0 ? null : new string('S', 200)))]);
    }

    static Distribution Distribution(Random random) => new(
        random.NextInt64(), random.Next(), random.NextDouble() * 10, random.NextDouble() * 1e4,
        random.NextDouble() * 1e6, double.MaxValue, random.NextDouble() * 1e9,
        [.. Enumerable.Range(0, random.Next(40))
            .Select(_ => new DistributionBucket(random.NextDouble() * 1e-3, random.NextDouble() * 1e7, random.Next()))]);

    static Blocker Blocker(Random random) => new(
        Pick(random, Names), random.NextDouble() * 1.2, random.Next(), Pick(random, Enum.GetValues<BlockKind>()),
        [.. Enumerable.Range(0, random.Next(60)).Select(_ => Pick(random, Names))]);

    static EventSpan Span(Random random)
    {
        var from = Some.At(random.NextDouble() * 50 - 5);
        return new(from, from.PlusMs(random.NextDouble() * 20000));
    }

    static int? Maybe(Random random, int max) => random.Next(3) == 0 ? null : random.Next(max);

    static T Pick<T>(Random random, IReadOnlyList<T> from) => from[random.Next(from.Count)];
}
