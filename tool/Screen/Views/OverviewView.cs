using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Render.Shared;
using Tpwatch.Reports;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Lanes;
using Tpwatch.Screen.State;
using Tpwatch.Screen.Widgets;

namespace Tpwatch.Screen.Views;

/// <summary>All lanes over one axis of time, and beneath them the selected gap.</summary>
sealed class OverviewView
{
    const double LeastBacklog = 10;
    const double LeastDone = 10;

    readonly Pane pane;
    readonly Scene scene;
    readonly TimeWindow window;
    readonly Fold fold;
    readonly LaneRanges ranges;
    readonly ImmutableArray<Gap> visible;
    readonly ImaginedLane? imagined;
    int y;

    OverviewView(Pane pane, Scene scene)
    {
        this.pane = pane;
        this.scene = scene;
        window = scene.Window(LaneBox.PlotColumns(pane.Width));
        fold = Fold.Of(scene.Timeline.Buckets, window);
        imagined = scene.State.Imagined is { } answer ? new(answer, window, scene.Timeline.Now) : null;
        ranges = LaneRanges.Of(fold).And(scene.State.Held).And(imagined?.Ranges ?? LaneRanges.Empty);
        visible = [.. scene.Events.Where(g => window.Shows(g.End))];
    }

    public static void Draw(Pane pane, Scene scene) => new OverviewView(pane, scene).Draw();

    void Draw()
    {
        var rows = OverviewLayout.For(pane.Width, pane.Height, window.ScaleMs <= Zoom.TicksVisible);
        Threads(Next(rows.Threads, "threads"));
        Reasons(Next(1, "inject"));
        if (rows.Verdicts > 0)
        {
            Verdicts(Next(1, "verdict"));
        }

        if (rows.Ticks > 0)
        {
            GapLane.DrawLengths(Next(1, "gap ms").Plot, scene.Events, window);
            GapLane.DrawTicks(Next(1, "gate").Plot, scene.Events, window);
        }

        Selection(Next(1, ""));
        Starved(Next(1, "starved"));
        Queue(Next(rows.Queue, "queue"));
        Cpu(Next(rows.Cpu, "cpu %"));
        Done(Next(rows.Done, "done/s"));
        TimeAxis.Draw(pane.Rows(y, 2), scene);
        y += 2;
        if (scene.State.Imagined is { } answer)
        {
            WhatIfPanel.Draw(pane.Rows(y, rows.Panel), answer, scene.State.Scroll);
        }
        else
        {
            GapPanel.Draw(pane.Rows(y, rows.Panel), scene);
        }
    }

    LaneBox Next(int rows, string name)
    {
        var lane = new LaneBox(pane.Rows(y, rows), name);
        y += rows;
        return lane;
    }

    void Threads(LaneBox lane)
    {
        var scale = ThreadScale.For(ranges, lane.Plot.Height);
        for (var row = 0; row < lane.Plot.Height && ranges.ThreadsMax >= 0; row++)
        {
            lane.Label(lane.Plot.Height - 1 - row, Format.Brief(scale.LabelOf(row)));
        }

        var min = scene.Timeline.Target.MinWorkers.Value;
        LineLane.Draw(lane.Plot, fold, scale, min);
        lane.Hatch(fold);
        imagined?.DrawWorkers(lane.Plot, fold, scale);
        lane.Note(0, $"{LevelTexts.Count(scene.Timeline.Levels.Workers)} now", Role.Threads);
        lane.Note(1, imagined is null
            ? $"goal {LevelTexts.Count(scene.Timeline.Levels.Goal)}"
            : $"* most {LevelTexts.Count(imagined.MostWorkers)}", imagined is null ? Role.Text : Role.Title);
        if (lane.Plot.Height > 2)
        {
            lane.Note(lane.Plot.Height - 1, $"min {LevelTexts.Count(min)}", Role.Faint);
        }
    }

    void Reasons(LaneBox lane)
    {
        MarkerLane.DrawReasons(lane.Plot, visible, window);
        var counts = GapMark.Reasons.Select(r => (r.Mark.Letter, Count: visible.Count(g => g.Reason == r.Reason))).Where(r => r.Count > 0);
        lane.Note(0, string.Join(' ', counts.Select(c => $"{c.Letter}{Format.Brief(c.Count)}")));
    }

    void Verdicts(LaneBox lane)
    {
        MarkerLane.DrawVerdicts(lane.Plot, visible, window);
        var wrong = visible.Count(g => g.Verdict is GapVerdict.Early or GapVerdict.Late);
        var unexplained = visible.Count(g => g.Verdict == GapVerdict.NoRule);
        var fits = visible.Count(g => g.Verdict == GapVerdict.Fits);
        lane.Note(0, FormattableString.Invariant($"{fits}= {wrong}! {unexplained}?"));
    }

    void Selection(LaneBox lane)
    {
        Mark(lane, scene.State.Measure?.A, 'A');
        Mark(lane, scene.State.Measure?.B, 'B');
        if (scene.Selected is { } gap && window.Shows(gap.End))
        {
            lane.Plot.Put(window.XOf(gap.End), 0, '^', Role.Selection);
        }

        if (scene.State.Measure is { A: var a, B: { } b })
        {
            lane.Note(0, $"AB {Format.Duration(Math.Abs(b.MsSince(a)))}", Role.Title);
        }
        else if (scene.State.Selected is { } number)
        {
            lane.Note(0, FormattableString.Invariant($"sel #{number}"));
        }
    }

    void Mark(LaneBox lane, EventTime? at, char letter)
    {
        if (at is { } moment && window.Shows(moment))
        {
            lane.Plot.Put(window.XOf(moment), 0, letter, Role.Title);
        }
    }

    void Starved(LaneBox lane)
    {
        BandLane.Draw(lane.Plot, scene, window, fold);
        var known = !scene.Report.Episodes.IsEmpty || fold.Columns.Any(c => c.Backlog >= 0);
        lane.Note(0, known && BandLane.Share(scene, window) is { } share ? Format.Percent(share) : "?");
    }

    void Queue(LaneBox lane)
    {
        var ceiling = AreaLane.Nice(ranges.Backlog, LeastBacklog);
        Area(lane, new(ceiling, Role.Queue, c => c.Backlog), Format.Brief);
        imagined?.DrawBacklog(lane.Plot, fold, ceiling);
        lane.Note(lane.Plot.Height - 1, $"{LevelTexts.Count(scene.Timeline.Levels.Backlog)} now", Role.Queue);
        if (lane.Plot.Height > 2 && imagined is not null)
        {
            lane.Note(1, $"* most {LevelTexts.Count(imagined.MostBacklog)}", Role.Title);
        }

        var peak = fold.Columns.Select(c => c.Backlog).DefaultIfEmpty(-1).Max();
        if (lane.Plot.Height > 1 && peak >= 0)
        {
            lane.Note(0, $"peak {Format.Brief(peak)}");
        }
    }

    void Cpu(LaneBox lane)
    {
        Area(lane, new(1, Role.Cpu, c => c.Cpu), share => Format.Brief(share * 100));
        lane.Note(lane.Plot.Height - 1, $"{LevelTexts.Cpu(scene.Timeline.Levels)} now", Role.Cpu);
    }

    void Done(LaneBox lane)
    {
        Area(lane, new(AreaLane.Nice(ranges.Done, LeastDone), Role.Done, c => c.Done), Format.Brief);
        lane.Note(lane.Plot.Height - 1, $"{LevelTexts.Done(scene.Timeline.Levels)} now", Role.Done);
    }

    // A label is the value at the top of its row; only round ones are written.
    void Area(LaneBox lane, AreaLane area, Func<double, string> label)
    {
        var height = lane.Plot.Height;
        lane.Label(0, label(area.Ceiling));
        if (height % 2 == 0)
        {
            lane.Label(height / 2, label(area.Ceiling / 2));
        }

        area.Draw(lane.Plot, fold);
        lane.Hatch(fold);
    }
}
