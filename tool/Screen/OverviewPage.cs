using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Drawing;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>The overview: lanes (charts) over one time axis, and below them the most important finding.</summary>
sealed class OverviewPage : Page
{
    readonly LanePane lanes;

    public OverviewPage(ScreenModel model, Func<Looks> looks)
        : base(model, looks)
    {
        var finding = 0;
        lanes = new(model, looks, (pane, scene) => finding = OverviewDrawing.Draw(pane, scene)) { Below = () => finding };
        Add(lanes);
    }

    public override ViewName Name => ViewName.Overview;
    public override string TabName => "Overview";
    public override string Brief => "Over";

    public override void Take(Scene scene) => lanes.SetNeedsDraw();
}

/// <summary>
/// Lanes over time that react to the mouse. A click selects the nearest event, a double click shows the details of that event, a drag
/// measures a span, and the wheel zooms.
/// </summary>
sealed class LanePane : DrawingView
{
    readonly ScreenModel model;
    EventTime? from;
    bool dragged;

    public LanePane(ScreenModel model, Func<Looks> looks, Action<Pane, Scene> draw)
        : base(looks, pane =>
        {
            if (model.Scene is { } scene)
            {
                draw(pane, scene);
            }
        })
    {
        this.model = model;
        (Width, Height, MousePositionTracking) = (Dim.Fill(), Dim.Fill(), true);
    }

    /// <summary>Callback that returns the first row below the lanes; a click at or below that row opens the view of the findings.</summary>
    public Func<int> Below { get; init; } = () => int.MaxValue;

    protected override bool OnMouseEvent(Mouse mouse)
    {
        if (model.Scene is not { } scene || mouse.Position is not { } at)
        {
            return false;
        }

        var flags = mouse.Flags;
        if (flags.HasFlag(MouseFlags.WheeledUp) || flags.HasFlag(MouseFlags.WheeledDown))
        {
            model.Do(flags.HasFlag(MouseFlags.WheeledUp) ? UiAction.ZoomIn : UiAction.ZoomOut);
            return true;
        }

        var moment = MomentAt(scene, at.X);
        if (flags.HasFlag(MouseFlags.LeftButtonPressed))
        {
            Drag(at.Y < Below() ? moment : null, flags.HasFlag(MouseFlags.PositionReport));
            return true;
        }

        if (flags.HasFlag(MouseFlags.LeftButtonReleased))
        {
            from = null;
            App?.Mouse.UngrabMouse();
            return true;
        }

        // Terminal.Gui also reports the end of a drag as a click, which must not select an event.
        if (flags.HasFlag(MouseFlags.LeftButtonClicked) && dragged)
        {
            dragged = false;
            return true;
        }

        return flags.HasFlag(MouseFlags.LeftButtonClicked) ? Click(scene, at.X, at.Y)
            : flags.HasFlag(MouseFlags.LeftButtonDoubleClicked) && DoubleClick();
    }

    void Drag(EventTime? moment, bool moves)
    {
        if (!moves)
        {
            (from, dragged) = (moment, false);
            App?.Mouse.GrabMouse(this);
        }
        else if (from is { } begin && moment is { } end && end != begin)
        {
            dragged = true;
            model.Choose(scene => scene.State with { Measure = new(begin, end), Flash = MarkedSpanText.Of(scene, begin, end) });
        }
    }

    bool Click(Scene scene, int x, int y)
    {
        if (y >= Below())
        {
            model.Choose(s => Navigation.Open(s.State with { Rule = LeadingFindingDrawing.Of(s)?.Id ?? s.State.Rule }, ViewName.Findings));
            return true;
        }

        var window = scene.Window(model.Columns);
        var column = x - Left;
        var near = scene.Marks.Where(g => window.Shows(g.End)).MinBy(g => Math.Abs(window.XOf(g.End) - column));
        if (near is not null)
        {
            model.Choose(s => s.State with { Selected = near.Number, Right = window.To, Measure = null });
        }

        return true;
    }

    bool DoubleClick()
    {
        model.Do(UiAction.Enter);
        return true;
    }

    // First column of the plot. A lane's name and scale are left of the plot, and its newest value is right of it.
    int Left => Viewport.Width - LaneBox.PlotColumns(Viewport.Width) - LaneBox.RightGutter;

    EventTime? MomentAt(Scene scene, int x)
    {
        var window = scene.Window(LaneBox.PlotColumns(Viewport.Width));
        var column = x - Left;
        return column >= 0 && column < window.Count ? window.TimeOf(window.First + column) : null;
    }
}

/// <summary>Draws the overview: all lanes over one time axis, and below them the most important finding or the what-if answer.</summary>
sealed class OverviewDrawing
{
    const double LeastQueueLength = 10;
    const double LeastDone = 10;

    readonly Pane pane;
    readonly Scene scene;
    readonly TimeWindow window;
    readonly FoldedTimeline fold;
    readonly LaneScales ranges;
    readonly ImmutableArray<InjectionDelay> visible;
    readonly SimulatedLane? simulated;
    int y;

    OverviewDrawing(Pane pane, Scene scene)
    {
        this.pane = pane;
        this.scene = scene;
        window = scene.Window(LaneBox.PlotColumns(pane.Width));
        fold = FoldedTimeline.Of(scene.Timeline.Buckets, window);
        simulated = scene.State.Simulated is { } answer ? new(answer, window, scene.Timeline.Now) : null;
        ranges = LaneScales.Of(fold).And(scene.State.Held).And(simulated?.Ranges ?? LaneScales.Empty);
        visible = [.. scene.Marks.Where(g => window.Shows(g.End))];
    }

    /// <summary>Draws the overview; returns the row at which the lanes end and the finding begins.</summary>
    public static int Draw(Pane pane, Scene scene) => new OverviewDrawing(pane, scene).Draw();

    int Draw()
    {
        var rows = OverviewLayout.For(pane.Width, pane.Height, new(
            scene.State.Show.AllMarks, window.ScaleMs <= Zoom.ChecksVisible,
            simulated is null && ranges.FlatThreads, simulated is null && ranges.QueueLength <= 0,
            HasRequests));
        Threads(Next(rows.Threads, "threads"));
        Reasons(Next(1, "inject"));
        if (rows.Verdicts > 0)
        {
            Verdicts(Next(1, "judged"));
        }

        if (rows.Ticks > 0)
        {
            DelayLane.DrawLengths(Next(1, "delay ms").Plot, scene.Marks, window);
            DelayLane.DrawTicks(Next(1, "gate").Plot, scene.Marks, window);
        }

        MarkCaption.Draw(pane.Rows(y++, 1), scene, window, fold);
        Trouble(Next(1, VerdictWords.Lasting(EpisodeLane.Shown(scene, window))));
        Queue(Next(rows.Queue, "queue"));
        Cpu(Next(rows.Cpu, "cpu %"));
        Done(Next(rows.Done, "item/s"));
        if (rows.Requests > 0 && scene.Report.Requests is { } requests)
        {
            RequestLane.Draw(Next(rows.Requests, "requests"), requests, window, scene);
        }

        TimeAxis.Draw(pane.Rows(y, rows.Axis), scene);
        y += rows.Axis;
        if (scene.State.Simulated is { } answer)
        {
            WhatIfPanel.Draw(pane.Rows(y, rows.Panel), answer);
        }
        else
        {
            LeadingFindingDrawing.Draw(pane.Rows(y, rows.Panel), scene);
        }

        return y;
    }

    // Whether the overview has a lane of requests. Without the capture depth Requests, only a few requests are seen, and the lane would
    // show too few. A lane of zeros is left out, because a request that began before the watch is not known until that request ends.
    bool HasRequests => scene.Report.Depth.HasFlag(CaptureDepth.Requests)
        && scene.Report.Requests is { } requests && requests.OverTime.Any(second => second.UnderWay > 0);

    LaneBox Next(int rows, string name)
    {
        var lane = new LaneBox(pane.Rows(y, rows), name);
        y += rows;
        return lane;
    }

    void Threads(LaneBox lane)
    {
        var (scale, levels) = (ThreadScale.FromZero(ranges, lane.Plot.Height), scene.Timeline.Levels);
        if (ranges.ThreadsMax >= 0)
        {
            lane.Ends(Format.Brief(scale.TopOf(lane.Plot.Height - 1)), Format.Brief(scale.Base));
        }

        var min = scene.Timeline.Target.MinWorkers.Value;
        WorkerThreadsLane.Draw(lane.Plot, fold, scale, min);
        lane.Hatch(fold);
        simulated?.DrawWorkers(lane.Plot, fold, scale);
        lane.Note(0, LatestValueTexts.Newest(scene, levels.Workers), Role.Threads);
        lane.Note(1, simulated is not null ? $"* most {LatestValueTexts.Count(simulated.MostWorkers)}"
            : LatestValueTexts.Known("target", levels.TargetThreads),
            simulated is null ? Role.Text : Role.Title);
        if (lane.Plot.Height > 2)
        {
            lane.Note(lane.Plot.Height - 1, LatestValueTexts.Known("min", min), Role.Faint);
        }
    }

    void Reasons(LaneBox lane)
    {
        MarkerLane.DrawReasons(lane.Plot, visible, window);
        if (scene.Selected is { } delay && window.Shows(delay.End))
        {
            lane.Plot.Put(window.XOf(delay.End), 0, DelayMark.Of(delay).Letter, Role.Selection);
        }

        lane.Note(0, Countdown.Of(scene.Report, scene.State.AheadMs) is { Length: > 0 } next ? next
            : MarkWords.MovedByClimbing(scene, window, fold) ? "climbing"
            : InjectionCountText.Note(scene.Report));
    }

    void Verdicts(LaneBox lane)
    {
        MarkerLane.DrawVerdicts(lane.Plot, visible, window);
        (int Count, char Mark)[] counts =
        [
            (visible.Count(g => g.Verdict == DelayVerdict.AsExpected), '='),
            (visible.Count(g => g.Verdict is DelayVerdict.Early or DelayVerdict.Late), '!'),
            (visible.Count(g => g.Verdict == DelayVerdict.NoRule), '?'),
        ];
        lane.Note(0, string.Join(' ', counts.Where(c => c.Count > 0).Select(c => $"{Format.Brief(c.Count)}{c.Mark}")));
    }

    void Trouble(LaneBox lane)
    {
        EpisodeLane.Draw(lane.Plot, scene, window, fold);
        // With an undecided verdict, "0%" would claim more than the verdict line says.
        var known = scene.Report.Verdict != Verdict.Undecided
            && (!scene.Report.Episodes.IsEmpty || fold.Columns.Any(c => c.QueueLength >= 0));
        lane.Note(0, known && EpisodeLane.Share(scene, window) is { } share ? Format.Percent(share) : "");
    }

    void Queue(LaneBox lane)
    {
        var ceiling = AreaLane.Nice(ranges.QueueLength, LeastQueueLength);
        Area(lane, new(ceiling, Role.Queue, c => c.QueueLength), Format.Brief);
        simulated?.DrawQueueLength(lane.Plot, fold, ceiling);
        lane.Note(lane.Plot.Height - 1, LatestValueTexts.Newest(scene, scene.Timeline.Levels.QueueLength), Role.Queue);
        var peak = fold.Columns.Select(c => c.QueueLength).DefaultIfEmpty(-1).Max();
        if (lane.Plot.Height > 1 && peak > 0)
        {
            lane.Note(0, OldestMs() is { } oldest ? $"waited {LatestValueTexts.Age(oldest)}" : $"peak {Format.Brief(peak)}");
        }
    }

    // Lower bound of the longest queue time, milliseconds, while a starvation episode is in progress; null at other times.
    double? OldestMs() => scene.Report is { IsNow: true, Episodes: [.., { Over: false, ProvenWaitMs: > 0 } last] }
        ? last.ProvenWaitMs
        : null;

    void Cpu(LaneBox lane)
    {
        Area(lane, new(1, Role.Cpu, c => c.Cpu), share => Format.Brief(share * 100));
        lane.Note(lane.Plot.Height - 1,
            scene.Timeline.Levels.Cpu is null ? "" : LatestValueTexts.Newest(scene, LatestValueTexts.Cpu(scene.Timeline.Levels)), Role.Cpu);
    }

    void Done(LaneBox lane)
    {
        Area(lane, new(AreaLane.Nice(ranges.Done, LeastDone), Role.Done, c => c.Done), Format.Brief);
        lane.Note(lane.Plot.Height - 1,
            scene.Timeline.Levels.CompletedPerSecond is null ? ""
                : LatestValueTexts.Newest(scene, LatestValueTexts.Done(scene.Timeline.Levels)),
            Role.Done);
    }

    void Area(LaneBox lane, AreaLane area, Func<double, string> label)
    {
        lane.Ends(label(area.Ceiling), "0");
        area.Draw(lane.Plot, fold);
        lane.Hatch(fold);
    }
}

/// <summary>Number of rows of each part of the overview; the parts and the fixed rows add up to the height.</summary>
/// <param name="Verdicts">1 when the verdicts on injection delays have a lane, else 0.</param>
/// <param name="Ticks">2 when injection delays and gate checks have lanes, else 0.</param>
/// <param name="Requests">1 or 2 where requests are measured, else 0.</param>
/// <param name="Axis">Rows of the time axis: 2 where the labels have a row of their own, else 1.</param>
/// <param name="Panel">Rows of the first finding or of the what-if answer.</param>
sealed record OverviewLayout(int Threads, int Verdicts, int Ticks, int Queue, int Cpu, int Done, int Requests, int Axis, int Panel)
{
    /// <summary>Number of rows that are always there: the marks, the caption of the marks, and the band of starvation.</summary>
    const int Fixed = 3;

    const int NormalWidth = 100;
    const int NormalHeight = 24;
    const int CompactHeight = 18;

    /// <summary>Number of rows of a whole finding: title, two of headline, one of evidence, and three for each of two remedies.</summary>
    const int WholeFinding = 10;

    const int MostFinding = 18;

    /// <summary>Minimum height in rows for a second row of the lane of requests, which shows the slowest request.</summary>
    const int TwoForRequests = 30;

    /// <summary>Maximum number of rows of the lane of worker threads if their number hardly changes; more would show nothing new.</summary>
    const int FlatThreads = 2;

    const int MostThreads = 14;

    /// <param name="width">Width of the screen in columns.</param>
    /// <param name="height">Height of the view in rows.</param>
    public static OverviewLayout For(int width, int height, OverviewLanes lanes)
    {
        var normal = width >= NormalWidth && height >= NormalHeight;
        var (verdicts, checks, axis) = (lanes.Verdicts ? 1 : 0, lanes.Ticks ? 2 : 0, normal ? 2 : 1);
        var requests = !lanes.Requests ? 0 : normal && height >= TwoForRequests ? 2 : 1;
        var panel = height >= CompactHeight ? Math.Clamp(height * 2 / 5, WholeFinding, MostFinding) : height / 3;
        var room = height - Fixed - axis - verdicts - checks - requests - panel;
        if (room < 4)
        {
            panel -= 4 - room;
            room = 4;
        }

        var small = Math.Clamp(room / 5, 1, 4);
        var queue = lanes.FlatQueue ? small : Math.Clamp(room / 3, 1, 10);
        var threads = Math.Clamp(room - queue - 2 * small, 1, lanes.FlatThreads ? FlatThreads : MostThreads);
        return new(threads, verdicts, checks, queue, small, small, requests, axis, panel + room - threads - queue - 2 * small);
    }
}

/// <summary>Which optional lanes the overview has, and which lanes hardly change and so need few rows.</summary>
readonly record struct OverviewLanes(bool Verdicts, bool Ticks, bool FlatThreads, bool FlatQueue, bool Requests = false);

/// <summary>
/// Draws the most important finding on the overview: headline, one line of evidence, and the first two remedies in full. Without a finding,
/// draws the headline of the report and the data that was checked.
/// </summary>
sealed class LeadingFindingDrawing(Pane pane, Scene scene)
{
    /// <summary>Maximum number of rows of the advice about slow requests with a healthy pool, enough for a screen of 80 columns.</summary>
    const int MostElsewhere = 5;

    const int Indent = 6;
    const int RemedyIndent = 8;
    const int MostRemedies = 2;
    const string Millis = "ms";

    /// <summary>Maximum number of rows of the headline where there is no finding.</summary>
    const int MostHeadline = 4;

    readonly int width = pane.Width - 2;
    readonly int room = pane.Height - 1;

    public static void Draw(Pane pane, Scene scene) => new LeadingFindingDrawing(pane, scene).Draw();

    /// <summary>
    /// Returns the finding that the user chose, otherwise the most serious unread finding, or the most serious one if all are read. Among
    /// equally serious findings, the finding of the headline comes first. Returns null if there are only notes.
    /// </summary>
    public static Finding? Of(Scene scene)
    {
        var leading = LeadingFinding.Of(scene.Report.Findings)?.Id;
        return scene.Findings.Where(f => f.Severity > Severity.Note || f.Id == scene.State.Rule)
            .OrderByDescending(f => f.Id == scene.State.Rule).ThenBy(scene.IsAcknowledged).ThenByDescending(f => f.Severity)
            .ThenByDescending(f => f.Id == leading).FirstOrDefault();
    }

    void Draw()
    {
        if (Of(scene) is { } finding)
        {
            var which = scene.Findings.Count == 1 ? "finding" : finding.Id == scene.State.Rule ? "chosen" : "first";
            var of = scene.Findings.Count == 1 ? "" : $" of {Format.Count(scene.Findings.Count)} findings";
            Title($"{which}{of}: {finding.Id}", "6 shows all");
            Put(Lines(finding));
        }
        else
        {
            Title(scene.Report.Verdict == Verdict.Undecided ? "undecided" : "in short", "");
            Put(Calm());
        }
    }

    List<TextLine> Lines(Finding finding)
    {
        List<TextLine> what = [.. TextBlock.Labelled("What", finding.Headline, Indent, width, Role.Title)];
        var remedies = finding.Remedies.Take(MostRemedies).Select((r, i) => Remedy(FindingText.ToDo(r, scene), i)).ToList();
        while (remedies.Count > 1 && what.Count + remedies.Sum(r => r.Count) > room)
        {
            remedies.RemoveAt(remedies.Count - 1);
        }

        var used = what.Count + remedies.Sum(r => r.Count);
        foreach (var (remedy, lines) in finding.Remedies.Zip(remedies))
        {
            List<TextLine> setting = [.. FindingText.Setting(remedy, scene, RemedyIndent, width)];
            lines.AddRange(used + setting.Count < room ? setting : []);
            used += used + setting.Count < room ? setting.Count : 0;
        }

        var seen = used < room ? Seen(finding) : null;
        List<TextLine> all = [.. what, .. seen is { } line ? [line] : Array.Empty<TextLine>(), .. remedies.SelectMany(r => r)];
        return all.Count < room ? [.. all, .. Others(finding).Take(room - all.Count)] : all;
    }

    // Returns the first evidence with a known value that fits on one line; durations come first, because they say more than counts.
    TextLine? Seen(Finding finding) => finding.Evidence
        .Where(e => Words.Known(e.Value) is not null).OrderByDescending(e => e.Unit == Millis)
        .Select(e => $"{"Seen".PadRight(Indent)}{EvidenceText.Of(e)}").Where(l => l.Length <= width)
        .Select(l => (TextLine?)new TextLine(l)).FirstOrDefault();

    List<TextLine> Remedy(string text, int index) =>
        [.. TextFit.Wrap(text, Math.Max(1, width - RemedyIndent), int.MaxValue).Select((line, i) => new TextLine(
            (i > 0 ? "" : FormattableString.Invariant($"{(index == 0 ? "Do" : ""),-Indent}{index + 1}")).PadRight(RemedyIndent) + line))];

    IEnumerable<TextLine> Others(Finding first) => scene.Findings
        .Where(f => f != first && f.Severity > Severity.Note).OrderByDescending(f => f.Severity)
        .Select(f => $"{"Also".PadRight(Indent)}{f.Id} {f.Title}").Where(l => l.Length <= width).Select(l => new TextLine(l, Role.Faint));

    IEnumerable<TextLine> Calm()
    {
        var (report, timeline) = (scene.Report, scene.Timeline);
        string[] looked =
        [
            $"{Format.Duration(timeline.Now.MsSince(timeline.Start))} of events",
            timeline.CounterSamples.IsEmpty ? "" : Format.Plural(timeline.CounterSamples.Length, "counter sample"),
            timeline.Quality is { Lost: 0, LossUnknown: false } ? "nothing lost" : "some events lost",
            Phrases.Checks(report),
        ];
        var why = report.Undecided.IsEmpty ? "" : ". Press 6 to see why";
        return TextFit.Wrap(FindingText.Headline(scene), width, MostHeadline)
            .Concat(report.Verdict == Verdict.Healthy ? TextFit.Wrap(Elsewhere(report), width, MostElsewhere) : [])
            .Select(line => new TextLine(line))
            .Concat(TextFit.Wrap($"Looked at: {string.Join(", ", looked.Where(l => l.Length > 0))}{why}.", width, 2)
                .Select(line => new TextLine(line, Role.Faint)));
    }

    // Returns advice for slow requests with a healthy pool: which command to run, and what its report shows.
    static string Elsewhere(PoolReport report) =>
        $"Are requests slow? In another terminal, run dotnet tpwatch report {Hints.Who(report)} --verbose. That report lists each route "
            + "with its times (ASP.NET Core). Look at what requests await (database, HTTP, DNS), and at garbage collection.";

    void Put(IEnumerable<TextLine> lines)
    {
        TextLine[] all = [.. lines];
        for (var i = 0; i < Math.Min(all.Length, room); i++)
        {
            var cut = i == room - 1 && all.Length > room;
            pane.Put(1, i + 1, cut ? Shortened(all[i].Text) : all[i].Text, all[i].Role);
        }
    }

    // Cuts a text between words and appends a blank and two dots; the blank shows that the last word is complete.
    string Shortened(string text)
    {
        var kept = text.Length + 3 <= width ? text : text[..Math.Max(0, text.LastIndexOf(' ', width - 3))];
        return kept.TrimEnd() + " ..";
    }

    void Title(string text, string right)
    {
        TextBlock.Title(pane.Rows(0, 1), text);
        if (right.Length > 0 && text.Length + right.Length + 8 < pane.Width)
        {
            pane.PutEndingAt(pane.Width - 1, 0, $" {right} ", Role.Title);
        }
    }
}
