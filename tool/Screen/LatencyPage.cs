using Terminal.Gui.ViewBase;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Drawing;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>The view of queue times: lower bounds that counter samples prove, and measured times of single work items.</summary>
sealed class LatencyPage : Page
{
    /// <summary>Minimum number of rows of text below the table.</summary>
    const int LeastText = 6;

    /// <summary>Minimum free rows to show the lane of queue times: the lane, a title, a table heading, and three items.</summary>
    const int LeastForLane = ItemPanel.Rows + 5;

    readonly DrawingView measuredHead;
    readonly RowTable<DistributionRow> measured;
    readonly DrawingView lane;
    readonly DrawingView head;
    readonly RowTable<StarvedEpisode> proven;
    readonly RowTable<SlowItem> slowest;
    readonly TextPane text;

    public LatencyPage(ScreenModel model, Func<Looks> looks)
        : base(model, looks)
    {
        measuredHead = Line((scene, width) => DistributionTable.Head([.. LatencyText.Distributions(scene)], width), Role.Title);
        measured = new(looks, () => DistributionTable.Columns(model.State.Show.FewPercentiles, looks().Look.Glyphs)) { HasCursor = false };
        lane = Drawing((pane, scene) =>
        {
            if (scene.Report.Items is { } items)
            {
                ItemPanel.Draw(pane, scene, items);
            }
        });
        head = Drawing((pane, scene) =>
        {
            if (scene.Report.Items is { } items)
            {
                TextBlock.Title(pane, ItemPanel.Title(scene, items));
            }
            else
            {
                pane.Put(1, 0, TextFit.Whole(LatencyText.Head(LatencyText.Distributions(scene).Any()), pane.Width - 2), Role.Title);
            }
        });
        proven = new(looks, () => model.Scene is { } scene ? LatencyText.Columns(scene) : []) { HasCursor = false };
        slowest = new(looks, () => model.Scene is { } scene ? ItemPanel.Columns(scene) : []) { HasCursor = false };
        text = new(looks);
        Add(measuredHead, measured, lane, head, proven, slowest, text);
    }

    public override ViewName Name => ViewName.Latency;
    public override string TabName => "Latency";
    public override string Brief => "Lat";
    public override View Scrolled => Model.Scene?.Report.Items is null ? text : slowest;

    public override void Take(Scene scene)
    {
        var (width, height) = (Viewport.Width, Viewport.Height);
        ImmutableArray<DistributionRow> times = [.. LatencyText.Distributions(scene)];
        var y = times.IsEmpty ? 0 : times.Length + 3;
        Place(measuredHead, 0, 0, width, Math.Min(1, y));
        Place(measured, 0, 1, width, times.IsEmpty ? 0 : times.Length + 1);
        if (scene.Report.Items is { } items)
        {
            var lanes = height - y >= LeastForLane ? ItemPanel.Rows : 0;
            Place(lane, 0, y, width, lanes);
            Place(head, 0, y + lanes, width, 1);
            Place(slowest, 0, y + lanes + 1, width, height - y - lanes - 1);
            Place(proven, 0, 0, width, 0);
            Place(text, 0, 0, width, 0);
            Layout();
            slowest.Fill([.. items.Slowest], null);
        }
        else
        {
            ImmutableArray<StarvedEpisode> episodes = [.. scene.Report.Episodes.Reverse()];
            var rows = episodes.IsEmpty ? 0 : Math.Clamp(episodes.Length + 1, 2, Math.Max(2, height - y - 3 - LeastText));
            Place(lane, 0, 0, width, 0);
            Place(slowest, 0, 0, width, 0);
            Place(head, 0, y, width, 1);
            Place(proven, 0, y + 2, width, rows);
            Place(text, 0, y + 2 + rows, width, height - y - 2 - rows);
            Layout();
            proven.Fill(episodes, null);
            text.Fill(null, columns => LatencyText.Lines(scene, !times.IsEmpty, columns)
                .Prepend(new(episodes.IsEmpty ? LatencyText.Nothing(scene) : "")).SelectMany((line, i) =>
                    i == 0 && episodes.IsEmpty ? [line, new TextLine("")] : new[] { line }));
        }

        measured.Fill(times, null);
        measuredHead.SetNeedsDraw();
        lane.SetNeedsDraw();
        head.SetNeedsDraw();
    }
}

/// <summary>Draws queue time over time on a logarithmic scale, and lists the slowest items and how each got its thread.</summary>
static class ItemPanel
{
    /// <summary>Labels of the rows, one per decade from 0.1 ms to 10 s.</summary>
    static readonly string[] Decades = ["1 s+", "100 ms", "10 ms", "1 ms", "0.1 ms"];

    const double LeastMs = 0.1;

    /// <summary>Minimum number of items for a 99th percentile; with fewer items, the 99th percentile equals the maximum.</summary>
    const int EnoughForP99 = 100;

    /// <summary>Number of rows of the lane of queue times: title, one row per decade, injections, and two rows for the axis.</summary>
    public const int Rows = 9;

    public static void Draw(Pane pane, Scene scene, ItemTimes items)
    {
        TextBlock.Title(pane.Rows(0, 1), "queue time: p99 filled, p50 dashed, each row 10 times the one below");
        Lane(pane.Rows(1, Decades.Length), scene, items);
        MarkerLane.DrawReasons(
            new LaneBox(pane.Rows(1 + Decades.Length, 1), "inject").Plot, scene.Events, scene.Window(LaneBox.PlotColumns(pane.Width)));
        TimeAxis.Draw(pane.Rows(2 + Decades.Length, 2), scene);
    }

    public static string Title(Scene scene, ItemTimes items) => Slowest(items) + Now(scene.Report.Forecast?.StartDelayOfNewItem);

    static string Slowest(ItemTimes items) => items.Waiting == 0
        ? "slowest items"
        : $"slowest items; {Format.Plural(items.Waiting, "item")} still "
            + $"queued{(items.OldestWaitMs is { } oldest ? $", the oldest for {Format.Duration(oldest)}" : "")}";

    static string Now(QueueTimeForecast? delay) => delay is not { IsKnown: true } ? ""
        : "; an item queued now starts after "
            + $"{(delay.EstimateMs is { } likely ? Format.About(likely) : "at least " + Format.Duration(delay.MinMs))}";

    static void Lane(Pane pane, Scene scene, ItemTimes items)
    {
        var box = new LaneBox(pane, "queue");
        for (var row = 0; row < Decades.Length; row++)
        {
            box.Label(row, Decades[row]);
        }

        var window = scene.Window(LaneBox.PlotColumns(pane.Width));
        foreach (var point in items.OverTime)
        {
            var (from, to) = (Math.Max(0, window.XOf(point.Span.From)), Math.Min(window.Count - 1, window.XOf(point.Span.To)));
            for (var x = from; x <= to && window.Shows(window.TimeOf(window.First + x)); x++)
            {
                Put(box.Plot, x, point.P50Ms, pane.Glyphs.StepRow, Role.Threads);
                Put(box.Plot, x, point.P99Ms, Level(pane.Glyphs, point.P99Ms), Role.Queue);
            }
        }

        if (items.OverTime is [.., var last])
        {
            var few = last.Count < EnoughForP99;
            box.Note(0, few ? "latest max" : "latest p99");
            box.Note(1, Format.Duration(few ? last.MaxMs : last.P99Ms), Role.Queue);
        }
    }

    static double Height(double ms) => Math.Clamp(Math.Log10(Math.Max(LeastMs, ms) / LeastMs), 0, Decades.Length - 0.001);

    static char Level(GlyphSet glyphs, double ms) => glyphs.Ramp[(int)(Height(ms) % 1 * glyphs.Ramp.Length)];

    static void Put(Pane plot, int x, double ms, char mark, Role role) => plot.Put(x, Decades.Length - 1 - (int)Height(ms), mark, role);

    public static IEnumerable<TableColumn<SlowItem>> Columns(Scene scene) =>
    [
        new("waited", 9, 20, s => Format.Duration(s.WaitMs)) { Right = true, Role = _ => Role.Starvation, Rank = s => s.WaitMs },
        new("queued at", 10, 12, s => Format.Clock(s.Queued.MsSince(scene.Timeline.Start), tenths: true))
        {
            Right = true, Rank = s => s.Queued.MsSince(scene.Timeline.Start),
        },
        new("ran for", 9, 15, s => s.RunMs is { } ms ? Format.Duration(ms) : "runs") { Right = true, Rank = s => s.RunMs ?? double.NaN },
        new("thread", 8, 10, s => FormattableString.Invariant($"{s.ThreadId}")) { Right = true, Rank = s => s.ThreadId },
        new("thread from", 20, 18, s => s.FreedBy is { } injectionDelay ? FormattableString.Invariant($"injection #{injectionDelay}")
            : "a free thread"),
        new("item", 12, 5, s => FormattableString.Invariant($"{s.Id:x}")),
    ];
}

/// <summary>The texts about queue times: the proven lower bounds, and what a measurement of single items would add.</summary>
static class LatencyText
{
    const int Indent = 11;

    public static string Head(bool measured) => measured ? "What the counters prove:" : "Minimum waits so far; items are not measured.";

    /// <summary>Returns the text that replaces the table where no queue time is proven.</summary>
    public static string Nothing(Scene scene) => Words.IsStarvingKnown(scene.Report)
        ? "No queue time of a second is proven."
        : "Whether items waited is not known: no counter sample came.";

    public static IEnumerable<TextLine> Lines(Scene scene, bool measured, int width) =>
        Texts(scene, measured).SelectMany(t => TextBlock.Labelled(t.Label, t.Text, Indent, width).Append(new("")));

    /// <summary>Returns the measured distributions of queue time and run time; none where single items are not measured.</summary>
    public static IEnumerable<DistributionRow> Distributions(Scene scene)
    {
        var (wait, run, times) = (scene.Report.QueueDelay, scene.Report.RunTime, scene.State.Show.Times);
        if (wait is not null && (times != ItemDurationChoice.Run || run is null))
        {
            var (healthy, starved) = (scene.Report.Items?.HealthyDelay, scene.Report.Items?.StarvedDelay);
            if (healthy is not null)
            {
                yield return new("healthy", healthy);
            }

            if (starved is not null)
            {
                yield return new("starved", starved);
            }

            yield return new(healthy is null && starved is null ? "queued" : "all", wait);
        }

        if (run is not null && (times != ItemDurationChoice.Wait || wait is null))
        {
            yield return new("run", run);
        }
    }

    public static IEnumerable<TableColumn<StarvedEpisode>> Columns(Scene scene) =>
    [
        new("items waited from", 17, 9, e => Format.Clock(e.Span.From.MsSince(scene.Timeline.Start), tenths: true))
        {
            Right = true, Rank = e => e.Span.From.MsSince(scene.Timeline.Start),
        },
        new("until", 8, 8, e => e.Over
            ? Format.Clock(e.Span.To.MsSince(scene.Timeline.Start), tenths: true) : scene.Newest) { Right = true },
        new("for", 11, 7, e => Format.Duration(e.Lasting(scene.Timeline.Now).Ms)) { Right = true },
        new("kind", 16, 6, e => VerdictWords.Of(e.Kind)) { Role = _ => Role.Starvation },
        new("an item waited at least", 23, 10, e => Format.Duration(e.ProvenWaitMs)) { Right = true, Rank = e => e.ProvenWaitMs },
    ];

    static IEnumerable<(string Label, string Text)> Texts(Scene scene, bool measured)
    {
        yield return (scene.IsOver ? "At the end" : "Now",
            DelayWords.NewItem(scene.Report) is { } told
                ? $"{Sentence.Of(told)} {scene.Report.Forecast?.StartDelayOfNewItem?.Basis}"
                : Estimate(scene.Report));
        if (measured)
        {
            yield break;
        }

        yield return ("t shows", "The queue time of every item: p50, p90, p99 and the longest, "
            + "separately for starved and for healthy time.");
        yield return ("Needs", "Two events per item, one when it is queued and one when it is dequeued. "
            + "Off by default because of this overhead.");
        yield return ("Costs", "Press t to see the cost, and t again to start. If items come too fast, tpwatch stops measuring.");
    }

    // Estimates the queue time of a new item, which waits for all items queued before, because items are dequeued roughly in order.
    static string Estimate(PoolReport report) => report.Timeline.Levels switch
    {
        { QueueLength: 0 } => "No item waits.",
        { QueueLength: { } waiting, CompletedPerSecond: > 0 and { } rate } =>
            $"{Format.Plural(waiting, "item")} {Wait(waiting)} and {Format.Rate(rate)} complete. "
            + $"At this rate, an item queued now waits for about {Format.Duration(waiting * 1000 / rate)}.",
        { QueueLength: { } waiting } =>
            $"{Format.Plural(waiting, "item")} {Wait(waiting)} and none completes: "
            + "an item queued now waits until a thread is added or released.",
        _ => "The queue length is not known: no counter sample has come.",
    };

    static string Wait(long waiting) => waiting == 1 ? "waits" : "wait";
}

/// <summary>A row of the table of item times: a distribution of queue times or run times, with its name.</summary>
sealed record DistributionRow(string Name, Distribution Of);

/// <summary>The table of queue times and run times: percentiles, and a histogram over five decades.</summary>
static class DistributionTable
{
    /// <summary>Left end of the histogram, milliseconds: about the queue time of an item that starts at once.</summary>
    const double LeastMs = 0.1;

    /// <summary>Right end of the histogram, milliseconds: a queue time in a starved pool.</summary>
    const double MostMs = 10_000;

    const int ShapeColumns = 25;

    /// <summary>Returns the line above the table: how many items were timed, and how many lack start or end.</summary>
    public static string Head(IReadOnlyList<DistributionRow> rows, int width)
    {
        var (all, unmatched) = (rows.Max(r => r.Of.Count), rows.Max(r => r.Of.Unmatched));
        return TextFit.Fit([$"Single items (ms): {Format.Count(all)} timed",
            unmatched == 0 ? "" : $"{Format.Count(unmatched)} with start or end missing"], width, between: ", ");
    }

    public static IEnumerable<TableColumn<DistributionRow>> Columns(bool few, GlyphSet glyphs) =>
    [
        new("", 7, 20, r => r.Name),
        Number("p50", 19, LowerBounds.P50),
        .. few ? [] : new[] { Number("p90", 14, LowerBounds.P90) },
        Number("p99", 18, LowerBounds.P99),
        .. few ? [] : new[] { Number("p99.9", 13, LowerBounds.P999) },
        Number("max", 17, LowerBounds.Max),
        new("count", 7, 16, r => Format.Brief(r.Of.Count)) { Right = true, Rank = r => r.Of.Count },
        new("0.1 ms .. 10 s+, log", ShapeColumns, 15, r => Shape(r.Of, glyphs)) { Role = _ => Role.Queue },
    ];

    static TableColumn<DistributionRow> Number(string head, int keep, LowerBounds which) =>
        new(head, 8, keep, r => Quantiles.Of(r.Of, which) is { OfFew: false } q ? q.Mark + Milliseconds(q.Ms) : "")
        {
            Right = true, Rank = r => Quantiles.Of(r.Of, which).Ms,
        };

    // Rounds times below 100 s to three significant digits, but to no more than one decimal.
    static string Milliseconds(double value) => value switch
    {
        < 99.95 => FormattableString.Invariant($"{value:0.0}"),
        < 999.5 => Format.Count((long)Math.Round(value)),
        < 9_995 => Format.Count((long)Math.Round(value / 10) * 10),
        _ => Format.Count((long)Math.Round(value / 100) * 100),
    };

    /// <summary>Returns a histogram on a logarithmic axis; a time outside the axis counts in the first or last column.</summary>
    public static string Shape(Distribution of, GlyphSet glyphs)
    {
        var columns = new long[ShapeColumns];
        foreach (var bucket in of.Buckets)
        {
            columns[ColumnOf(Math.Sqrt(Math.Max(bucket.FromMs, LeastMs / 2) * Math.Max(bucket.ToMs, LeastMs / 2)))] += bucket.Count;
        }

        var most = Math.Max(1, columns.Max());
        return string.Concat(columns.Select(c =>
            c == 0 ? ' ' : glyphs.Ramp[(int)Math.Clamp(Math.Round((double)c / most * glyphs.Ramp.Length) - 1, 0, glyphs.Ramp.Length - 1)]));
    }

    static int ColumnOf(double ms) =>
        Math.Clamp((int)(Math.Log10(ms / LeastMs) / Math.Log10(MostMs / LeastMs) * ShapeColumns), 0, ShapeColumns - 1);
}
