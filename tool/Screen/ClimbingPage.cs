using Terminal.Gui.ViewBase;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Drawing;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>
/// The view of hill climbing: two lanes (charts over time), a table of adjustments, and a text that judges whether the adjustments do harm.
/// The lanes show completed items per second and the target thread count.
/// </summary>
sealed class ClimbingPage : Page
{
    /// <summary>Number of rows for all but lanes and table: summary, marks, two for the axis, title, and three for the text.</summary>
    const int Fixed = 8;

    const int ReadingRows = 3;

    readonly DrawingView summary;
    readonly LanePane lanes;
    readonly DrawingView title;
    readonly RowTable<InjectionDelay> table;
    readonly TextPane reading;
    int laneRows = 1;

    public ClimbingPage(ScreenModel model, Func<Looks> looks)
        : base(model, looks)
    {
        summary = Line((scene, width) => TextFit.Fit(ClimbingSummary.Of(scene).Summary, width));
        lanes = new(model, looks, (pane, scene) => ClimbingLanes.Draw(pane, scene, laneRows));
        title = TitleRow(_ => "adjustments by hill climbing");
        table = new(looks, () => model.Scene is { } scene ? ClimbingLanes.Columns(scene) : []);
        reading = new(looks);
        table.Chosen += delay => model.Choose(scene => Navigation.Show(scene, model.Columns, delay));
        table.Opened += _ => model.Do(UiAction.OnTimeline);
        Add(summary, lanes, title, table, reading);
    }

    public override ViewName Name => ViewName.Climbing;
    public override string TabName => "Climbing";
    public override string Brief => "Climb";
    public override View Rows => table;

    public override void Take(Scene scene)
    {
        var rows = DelayRows.Climbing(scene);
        var (width, room) = (Viewport.Width, Math.Max(2, Viewport.Height - Fixed));
        laneRows = Math.Clamp((room - Math.Min(rows.Length + 1, room / 3)) / 2, 1, ClimbingLanes.MostLane);
        var list = Math.Max(0, room - 2 * laneRows);
        var y = 1 + 2 * laneRows + 3;
        Place(summary, 0, 0, width, 1);
        Place(lanes, 0, 1, width, 2 * laneRows + 3);
        Place(title, 0, y, width, 1);
        Place(table, 0, y + 1, width, rows.IsEmpty ? 0 : list);
        Place(reading, 0, y + 1 + (rows.IsEmpty ? 0 : list), width, ReadingRows + (rows.IsEmpty ? list : 0));
        Layout();
        table.Fill(rows, DelayRows.IndexOf(rows, scene) is >= 0 and var at ? rows[at] : null);
        reading.Fill(null, columns => TextFit.Wrap(ClimbingSummary.Of(scene).Sentence, columns, int.MaxValue)
            .Prepend(rows.IsEmpty ? "None in this capture." : null).OfType<string>().Select(l => new TextLine(l)));
        summary.SetNeedsDraw();
        lanes.SetNeedsDraw();
        title.SetNeedsDraw();
    }
}

/// <summary>Draws the lanes of completed items and target thread count, and defines the table of adjustments.</summary>
static class ClimbingLanes
{
    const double LeastDone = 10;

    /// <summary>Maximum number of rows of a lane; more rows would show no more detail.</summary>
    public const int MostLane = 10;

    /// <summary>Draws the two lanes with <paramref name="lane"/> rows each, then a letter per adjustment and the time axis.</summary>
    public static void Draw(Pane pane, Scene scene, int lane)
    {
        var window = scene.Window(LaneBox.PlotColumns(pane.Width));
        var fold = FoldedTimeline.Of(scene.Timeline.Buckets, window);
        var ranges = LaneScales.Of(fold).And(scene.State.Held);
        Done(new(pane.Rows(0, lane), "item/s"), scene, fold, ranges);
        TargetThreads(new(pane.Rows(lane, lane), "target"), scene, fold, ranges);
        var moves = new LaneBox(pane.Rows(2 * lane, 1), "adjust");
        MarkerLane.DrawReasons(moves.Plot, scene.Events, window);
        if (scene.Selected is { } delay && window.Shows(delay.End))
        {
            moves.Plot.Put(window.XOf(delay.End), 0, DelayMark.Of(delay).Letter, Role.Selection);
            moves.Note(0, FormattableString.Invariant($"sel #{delay.Number}"));
        }

        TimeAxis.Draw(pane.Rows(2 * lane + 1, 2), scene);
    }

    static void Done(LaneBox lane, Scene scene, FoldedTimeline fold, LaneScales ranges)
    {
        var ceiling = AreaLane.Nice(ranges.Done, LeastDone);
        lane.Ends(Format.Brief(ceiling), "0");
        new AreaLane(ceiling, Role.Done, c => c.Done).Draw(lane.Plot, fold);
        lane.Hatch(fold);
        lane.Note(lane.Plot.Height - 1, LatestValueTexts.Newest(scene, LatestValueTexts.Done(scene.Timeline.Levels)), Role.Done);
    }

    static void TargetThreads(LaneBox lane, Scene scene, FoldedTimeline fold, LaneScales ranges)
    {
        var scale = ThreadScale.For(ranges, lane.Plot.Height);
        if (ranges.ThreadsMax >= 0)
        {
            lane.Ends(Format.Brief(scale.TopOf(lane.Plot.Height - 1)), Format.Brief(scale.Base));
        }

        WorkerThreadsLane.Draw(lane.Plot, fold, scale, null);
        lane.Hatch(fold);
        lane.Note(0, LatestValueTexts.Newest(scene, scene.Timeline.Levels.TargetThreads), Role.TargetThreads);
        if (scale.Base > 0 && lane.Plot.Height > 1)
        {
            var from = $">={Format.Brief(scale.Base)}";
            lane.Note(lane.Plot.Height - 1, $"scale {from}".Length <= LaneBox.NoteColumns ? $"scale {from}" : from, Role.Faint);
        }
    }

    public static IEnumerable<TableColumn<InjectionDelay>> Columns(Scene scene) =>
    [
        new("#", 4, 8, g => Format.Brief(g.Number)) { Right = true, Rank = g => g.Number },
        new("time", 8, 9, g => scene.Time(g.End)) { Right = true, Rank = g => g.End.MsSince(scene.Timeline.Start) },
        new("reason", 14, 7, g => $"{DelayMark.Of(g).Letter} {DelayMark.Of(g).Name}") { Role = g => DelayMark.Of(g).Role },
        new("target", 7, 6, InjectionsTable.TargetThreads) { Right = true },
        new("item/s", 12, 5, g => ClimbingSummary.Rates(scene, g)),
        new("meaning", 0, 4, g => ClimbingSummary.Meaning(scene, g)),
    ];
}

/// <summary>A summary of the adjustments by hill climbing.</summary>
/// <param name="Summary">Texts with numbers about the adjustments; the first row of the view shows the texts that fit.</param>
/// <param name="Sentence">Text that says whether the adjustments do harm, and where the numbers of items per second come from.</param>
sealed record ClimbingSummary(ImmutableArray<string> Summary, string Sentence)
{
    /// <summary>
    /// The rates of completed items are compared this long before and after an adjustment, milliseconds. The counter sample at the
    /// adjustment is not used, because it covers time before and after the adjustment.
    /// </summary>
    const double SampleIntervalMs = 1000;

    /// <summary>Usual variation of the completed items per second from one counter sample to the next, as a share.</summary>
    const double Noise = 0.05;

    /// <summary>
    /// Maximum range of the target thread count that counts as normal, threads: hill climbing constantly tries such changes. In a large
    /// pool, the maximum is <see cref="SmallShare"/> times the target thread count.
    /// </summary>
    const int SmallSwing = 2;

    const double SmallShare = 0.2;

    public static ClimbingSummary Of(Scene scene)
    {
        var moves = DelayRows.Climbing(scene);
        var net = moves.Sum(g => (g.TargetThreadsAfter - g.TargetThreadsBefore) ?? 0);
        var counts = moves.GroupBy(DelayMark.Of).Select(g => $"{g.Key.Letter}{Format.Brief(g.Count())}");
        var forced = scene.Events.Count(DelayMark.IsInjection);
        return new(
            [
                $"{Format.Plural(moves.Length, "adjustment")} {string.Join(' ', counts)}".TrimEnd(),
                FormattableString.Invariant($"net {net:+0;-0;0}"),
                moves.IsEmpty ? "" : $"largest swing {Format.Brief(Swing(moves))}",
                $"{Format.Plural(forced, "injection")} by other rules",
            ],
            Judgement(scene, moves) + (scene.Timeline.CounterSamples.IsEmpty && scene.Timeline.Levels.CompletedPerSecond is null
                ? " Without counter samples the items per second are not known."
                : " Items per second are from the counter samples."));
    }

    /// <summary>Returns the completed items per second before and after an adjustment, such as <c>418 -> 452</c>.</summary>
    public static string Rates(Scene scene, InjectionDelay move)
    {
        var (before, after) = Around(scene, move);
        return $"{Rate(before)} -> {Rate(after)}";
    }

    /// <summary>Describes the kind of an adjustment, and how the completed items per second changed afterwards.</summary>
    public static string Meaning(Scene scene, InjectionDelay move)
    {
        switch (move.Reason)
        {
            case AdjustmentReason.Warmup: return "first measurements";
            case AdjustmentReason.Initializing: return "starts again";
            case AdjustmentReason.RandomMove: return "a random try";
            case AdjustmentReason.Stabilizing: return "settles";
        }

        var (before, after) = Around(scene, move);
        var change = before > 0 ? after / before - 1 : double.NaN;
        return (move.TargetThreadsAfter - move.TargetThreadsBefore) switch
        {
            null => "",
            0 => "no change",
            var threads when double.IsNaN(change) =>
                $"{(threads is 1 or -1 ? "one thread" : "threads")} {(threads > 0 ? "more" : "fewer")}",
            > 0 => Math.Abs(change) <= Noise ? "more, no effect" : $"more threads; items/s {Signed(change)}",
            _ => Math.Abs(change) <= Noise ? "fewer, no loss" : $"fewer, then items/s {Signed(change)}",
        };
    }

    static string Signed(double change) => $"{(change > 0 ? "+" : "-")}{Format.Percent(Math.Abs(change))}";

    static (double Before, double After) Around(Scene scene, InjectionDelay move) =>
        (RateAt(scene.Timeline, move.End.PlusMs(-SampleIntervalMs)), RateAt(scene.Timeline, move.End.PlusMs(SampleIntervalMs)));

    static double RateAt(TimelineSnapshot timeline, EventTime at) =>
        at > timeline.Now ? double.NaN : timeline.Buckets[timeline.Buckets.IndexOf(at)].CompletedPerSecond;

    static string Rate(double rate) => double.IsNaN(rate) ? "?" : Format.Brief(rate);

    // Returns the largest range (maximum less minimum) of the target thread count; a change by another rule starts a new range.
    static int Swing(ImmutableArray<InjectionDelay> moves)
    {
        var (swing, min, max, last) = (0, 0, 0, (int?)null);
        foreach (var move in moves.Reverse())
        {
            if (move is not { TargetThreadsBefore: { } before, TargetThreadsAfter: { } after })
            {
                continue;
            }

            (min, max) = before == last ? (Math.Min(min, after), Math.Max(max, after)) : (Math.Min(before, after), Math.Max(before, after));
            (swing, last) = (Math.Max(swing, max - min), after);
        }

        return swing;
    }

    // Returns the sentence about harm: the report's finding about hill climbing if there is one, because it is based on more data.
    static string Judgement(Scene scene, ImmutableArray<InjectionDelay> moves)
    {
        if (scene.Report.Findings.FirstOrDefault(f => f.Id == Scene.ClimbingRule) is { } finding)
        {
            return $"{finding.Id}: {finding.Headline}";
        }

        if (moves.IsEmpty)
        {
            return "Hill climbing changed nothing: it acts when items complete, and does nothing while the pool starves.";
        }

        var (swing, targetThreads) = (Swing(moves), moves.Max(g => g.TargetThreadsAfter ?? 0));
        return swing <= Math.Max(SmallSwing, targetThreads * SmallShare)
            ? $"Normal: hill climbing changes the target by at most {Format.Plural(swing, "thread")}, "
                + "to measure whether more items complete."
            : $"Wide: hill climbing changed the target by up to {Format.Plural(swing, "thread")}. That does harm if more threads "
                + "complete no more items.";
    }
}
