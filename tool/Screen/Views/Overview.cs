using Tpwatch.Screen.Drawing;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>Draws the overview: all lanes over one time axis, and below them the most important finding or the what-if answer.</summary>
sealed class Overview
{
    const double LeastQueueLength = 10;
    const double LeastDone = 10;

    readonly Pane pane;
    readonly Scene scene;
    readonly TimeWindow window;
    readonly Fold fold;
    readonly LaneRanges ranges;
    readonly ImmutableArray<InjectionDelay> visible;
    readonly SimulatedLane? simulated;
    int y;

    Overview(Pane pane, Scene scene)
    {
        this.pane = pane;
        this.scene = scene;
        window = scene.Window(LaneBox.PlotColumns(pane.Width));
        fold = Fold.Of(scene.Timeline.Buckets, window);
        simulated = scene.State.Simulated is { } answer ? new(answer, window, scene.Timeline.Now) : null;
        ranges = LaneRanges.Of(fold).And(scene.State.Held).And(simulated?.Ranges ?? LaneRanges.Empty);
        visible = [.. scene.Marks.Where(g => window.Shows(g.End))];
    }

    /// <summary>Draws the overview; returns the row at which the lanes end and the finding begins.</summary>
    public static int Draw(Pane pane, Scene scene) => new Overview(pane, scene).Draw();

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

        CursorRow.Draw(pane.Rows(y++, 1), scene, window, fold);
        Trouble(Next(1, VerdictWords.Lasting(BandLane.Shown(scene, window))));
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
            FirstFinding.Draw(pane.Rows(y, rows.Panel), scene);
        }

        return y;
    }

    // Whether the overview has a lane of requests. At the stacks depth only a few requests are seen, and their lane would look like the
    // number of all requests. A request that began before the watch becomes known only when the request ends, so zero may be wrong.
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
        LineLane.Draw(lane.Plot, fold, scale, min);
        lane.Hatch(fold);
        simulated?.DrawWorkers(lane.Plot, fold, scale);
        lane.Note(0, LevelTexts.Newest(scene, levels.Workers), Role.Threads);
        lane.Note(1, simulated is not null ? $"* most {LevelTexts.Count(simulated.MostWorkers)}"
            : LevelTexts.Known("target", levels.TargetThreads),
            simulated is null ? Role.Text : Role.Title);
        if (lane.Plot.Height > 2)
        {
            lane.Note(lane.Plot.Height - 1, LevelTexts.Known("min", min), Role.Faint);
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
            : Injected.Note(scene.Report));
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
        BandLane.Draw(lane.Plot, scene, window, fold);
        // With an undecided verdict, "0%" would claim more than the verdict line says.
        var known = scene.Report.Verdict != Verdict.Undecided
            && (!scene.Report.Episodes.IsEmpty || fold.Columns.Any(c => c.QueueLength >= 0));
        lane.Note(0, known && BandLane.Share(scene, window) is { } share ? Format.Percent(share) : "");
    }

    void Queue(LaneBox lane)
    {
        var ceiling = AreaLane.Nice(ranges.QueueLength, LeastQueueLength);
        Area(lane, new(ceiling, Role.Queue, c => c.QueueLength), Format.Brief);
        simulated?.DrawQueueLength(lane.Plot, fold, ceiling);
        lane.Note(lane.Plot.Height - 1, LevelTexts.Newest(scene, scene.Timeline.Levels.QueueLength), Role.Queue);
        var peak = fold.Columns.Select(c => c.QueueLength).DefaultIfEmpty(-1).Max();
        if (lane.Plot.Height > 1 && peak > 0)
        {
            lane.Note(0, OldestMs() is { } oldest ? $"waited {LevelTexts.Age(oldest)}" : $"peak {Format.Brief(peak)}");
        }
    }

    // Lower bound of the queue time in the present starvation; null when no starvation is in progress.
    double? OldestMs() => scene.Report is { IsNow: true, Episodes: [.., { Over: false, ProvenWaitMs: > 0 } last] }
        ? last.ProvenWaitMs
        : null;

    void Cpu(LaneBox lane)
    {
        Area(lane, new(1, Role.Cpu, c => c.Cpu), share => Format.Brief(share * 100));
        lane.Note(lane.Plot.Height - 1,
            scene.Timeline.Levels.Cpu is null ? "" : LevelTexts.Newest(scene, LevelTexts.Cpu(scene.Timeline.Levels)), Role.Cpu);
    }

    void Done(LaneBox lane)
    {
        Area(lane, new(AreaLane.Nice(ranges.Done, LeastDone), Role.Done, c => c.Done), Format.Brief);
        lane.Note(lane.Plot.Height - 1,
            scene.Timeline.Levels.CompletedPerSecond is null ? "" : LevelTexts.Newest(scene, LevelTexts.Done(scene.Timeline.Levels)),
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
/// <param name="Threads">Rows of the lane of worker threads.</param>
/// <param name="Verdicts">1 when verdicts have a lane, else 0.</param>
/// <param name="Ticks">2 when injection delays and gate checks have lanes, else 0.</param>
/// <param name="Queue">Rows of the lane of the queue length.</param>
/// <param name="Cpu">Rows of the lane of the processor use.</param>
/// <param name="Done">Rows of the lane of completed items.</param>
/// <param name="Requests">1 or 2 where requests are measured, else 0.</param>
/// <param name="Axis">Rows of the time axis: 2 where the labels have a row of their own, else 1.</param>
/// <param name="Panel">Rows of the first finding or of the what-if answer.</param>
sealed record OverviewLayout(int Threads, int Verdicts, int Ticks, int Queue, int Cpu, int Done, int Requests, int Axis, int Panel)
{
    /// <summary>Number of rows that are always there: the marks, the row of the cursor, and the band of starvation.</summary>
    const int Fixed = 3;

    const int NormalWidth = 100;
    const int NormalHeight = 24;
    const int CompactHeight = 18;

    /// <summary>Number of rows of a whole finding: title, two of headline, one of evidence, and three for each of two remedies.</summary>
    const int WholeFinding = 10;

    const int MostFinding = 18;

    /// <summary>Minimum height in rows for a second row of the lane of requests, which shows the slowest request.</summary>
    const int TwoForRequests = 30;

    /// <summary>Maximum number of rows of a thread line that hardly changes; more rows would show no more detail.</summary>
    const int FlatThreads = 2;

    const int MostThreads = 14;

    /// <param name="width">Width of the screen in columns.</param>
    /// <param name="height">Height of the view in rows.</param>
    /// <param name="lanes">The optional lanes.</param>
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
