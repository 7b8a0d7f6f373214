using System.Text;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// Draws worker threads over time as a solid line, the target thread count dashed, MinThreads dotted. The line shows the minimum and the
/// maximum of each column, so that no spike is lost. Where lines meet, the line of worker threads determines the colour.
/// </summary>
static class WorkerThreadsLane
{
    public static void Draw(Pane plot, FoldedTimeline fold, ThreadScale scale, int? min)
    {
        UnknownMarks.Draw(plot, fold, column => column.Workers.IsKnown || column.TargetThreads >= 0);
        if (plot.Glyphs.Lines == LineStyle.Dots)
        {
            DrawDots(plot, fold, scale, min);
        }
        else
        {
            WorkerThreadsStepLine.Draw(plot, fold, scale, min);
        }
    }

    static void DrawDots(Pane plot, FoldedTimeline fold, ThreadScale scale, int? min)
    {
        var canvas = new DotCanvas(plot.Width, plot.Height);
        var last = -1;
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            var column = fold.Columns[x];
            var early = column.Early.IsKnown ? column.Early : column.Late;
            last = DrawHalf(canvas, x * 2, column.Lost ? WorkerCountRange.Unknown : early, scale, last);
            last = DrawHalf(canvas, x * 2 + 1, column.Lost ? WorkerCountRange.Unknown : column.Late.IsKnown ? column.Late : early, scale,
                last);
        }

        for (var x = 0; x < fold.Columns.Length; x++)
        {
            DrawTargetThreads(canvas, x, fold, scale);
            if (min is { } floor && fold.Columns[x].Seen && (fold.First + x) % 2 == 0)
            {
                canvas.Set(x * 2, scale.DotOf(floor), Role.Min);
            }
        }

        canvas.PutOn(plot);
    }

    static int DrawHalf(DotCanvas canvas, int x, WorkerCountRange workers, ThreadScale scale, int last)
    {
        if (!workers.IsKnown)
        {
            return -1;
        }

        var (low, high) = (scale.DotOf(workers.Min), scale.DotOf(workers.Max));
        canvas.Rise(x, last < 0 ? low : Math.Min(low, last), last < 0 ? high : Math.Max(high, last), Role.Threads);
        return scale.DotOf(workers.Last);
    }

    // Draws the dashes in every second column, counted from the capture's start, so that they keep their place when the picture scrolls.
    static void DrawTargetThreads(DotCanvas canvas, int x, FoldedTimeline fold, ThreadScale scale)
    {
        var column = fold.Columns[x];
        if (column.TargetThreads >= 0 && !column.Lost && (fold.First + x) % 2 == 0)
        {
            canvas.Set(x * 2, scale.DotOf(column.TargetThreads), Role.TargetThreads);
            canvas.Set(x * 2 + 1, scale.DotOf(column.TargetThreads), Role.TargetThreads);
        }
    }
}

/// <summary>A canvas with eight Braille dots per cell, two across and four up. The first dot drawn gives the cell its colour.</summary>
sealed class DotCanvas(int width, int height)
{
    const int BrailleBlank = 0x2800;

    /// <summary>Bits of the Braille dots in the two columns of a cell, from the bottom up.</summary>
    static readonly int[][] Bits = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]];

    readonly (int Dots, Role Role)[] cells = new (int, Role)[width * height];

    public int Rows => height * 4;

    /// <summary>Sets the dot at a position counted from the left and from the bottom.</summary>
    public void Set(int x, int y, Role role)
    {
        var (column, row) = (x / 2, height - 1 - y / 4);
        if (x < 0 || y < 0 || column >= width || row < 0)
        {
            return;
        }

        ref var cell = ref cells[row * width + column];
        cell = (cell.Dots | Bits[x % 2][y % 4], cell.Dots == 0 ? role : cell.Role);
    }

    /// <summary>Sets all dots of a column between two heights.</summary>
    public void Rise(int x, int from, int to, Role role)
    {
        for (var y = Math.Max(0, Math.Min(from, to)); y <= Math.Min(Rows - 1, Math.Max(from, to)); y++)
        {
            Set(x, y, role);
        }
    }

    public void PutOn(Pane plot)
    {
        for (var i = 0; i < cells.Length; i++)
        {
            if (cells[i].Dots != 0)
            {
                plot.Put(i % width, i / width, new Rune(BrailleBlank + cells[i].Dots), cells[i].Role);
            }
        }
    }
}

/// <summary>Draws the lane of worker threads without Braille dots, as a step line with corners where the number changes.</summary>
static class WorkerThreadsStepLine
{
    public static void Draw(Pane plot, FoldedTimeline fold, ThreadScale scale, int? min)
    {
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            DrawBehind(plot, x, fold, scale, min);
        }

        var last = -1;
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            var workers = fold.Columns[x].Lost ? WorkerCountRange.Unknown : fold.Columns[x].Workers;
            last = workers.IsKnown ? DrawColumn(plot, x, workers, last, scale) : -1;
        }
    }

    static void DrawBehind(Pane plot, int x, FoldedTimeline fold, ThreadScale scale, int? min)
    {
        var column = fold.Columns[x];
        if ((fold.First + x) % 2 != 0 || column.Lost || !column.Seen)
        {
            return;
        }

        if (min is { } floor)
        {
            plot.Put(x, plot.Height - 1 - scale.RowOf(floor), '.', Role.Min);
        }

        if (column.TargetThreads >= 0)
        {
            plot.Put(x, plot.Height - 1 - scale.RowOf(column.TargetThreads), plot.Glyphs.StepRow, Role.TargetThreads);
        }
    }

    static int DrawColumn(Pane plot, int x, WorkerCountRange workers, int last, ThreadScale scale)
    {
        var (low, high, now) = (scale.RowOf(workers.Min), scale.RowOf(workers.Max), scale.RowOf(workers.Last));
        var before = last < 0 ? now : last;
        for (var row = Math.Min(low, before); row <= Math.Max(high, before); row++)
        {
            plot.Put(x, plot.Height - 1 - row, plot.Glyphs.StepColumn, Role.Threads);
        }

        var corners = plot.Glyphs.StepCorners;
        var (leaving, arriving) = before < now ? (corners[0], corners[1]) : before > now ? (corners[2], corners[3])
            : (plot.Glyphs.StepRow, plot.Glyphs.StepRow);
        plot.Put(x, plot.Height - 1 - before, leaving, Role.Threads);
        plot.Put(x, plot.Height - 1 - now, arriving, Role.Threads);
        return now;
    }
}

/// <summary>A value over time as a filled area: zero is blank, any larger value is visible, question marks mean unknown.</summary>
/// <param name="Ceiling">The value that fills a column to the top; 1 or more.</param>
/// <param name="Value">Gets the value of a column; negative or NaN means unknown.</param>
sealed record AreaLane(double Ceiling, Role Role, Func<TimelineColumn, double> Value)
{
    /// <summary>Returns a round top value for a lane: the smallest of 1, 2, 3, 4, 6, 8, 10, 20 … that covers both values.</summary>
    public static double Nice(double value, double least)
    {
        for (var decade = 1.0; ; decade *= 10)
        {
            foreach (var factor in (ReadOnlySpan<double>)[1, 2, 3, 4, 6, 8])
            {
                if (factor * decade >= Math.Max(value, least))
                {
                    return factor * decade;
                }
            }
        }
    }

    public void Draw(Pane plot, FoldedTimeline fold)
    {
        UnknownMarks.Draw(plot, fold, column => Value(column) >= 0);
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            if (Value(fold.Columns[x]) is > 0 and var value && !fold.Columns[x].Lost)
            {
                DrawColumn(plot, x, value);
            }
        }
    }

    public void DrawColumn(Pane plot, int x, double value)
    {
        var ramp = plot.Glyphs.Ramp;
        var levels = Math.Clamp((int)Math.Round(value / Ceiling * plot.Height * ramp.Length), 1, plot.Height * ramp.Length);
        for (var row = 0; row < plot.Height && levels > 0; row++, levels -= ramp.Length)
        {
            plot.Put(x, plot.Height - 1 - row, ramp[Math.Min(levels, ramp.Length) - 1], Role);
        }
    }
}

/// <summary>Draws starvation episodes, a character per kind. Elsewhere, a dot means that the queue length is known.</summary>
static class EpisodeLane
{
    /// <summary>Distance in columns between two marks where the queue length is not known.</summary>
    const int UnknownEvery = 4;

    public static void Draw(Pane plot, Scene scene, TimeWindow window, FoldedTimeline fold)
    {
        var timeline = scene.Timeline;
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            DrawGround(plot, x, fold);
        }

        foreach (var episode in scene.Report.Episodes)
        {
            Fill(plot, window, episode.Lasting(timeline.Now), episode.Kind);
        }
    }

    /// <summary>Returns the share of the visible capture time in which items waited, 0 to 1; null when nothing is visible.</summary>
    public static double? Share(Scene scene, TimeWindow window)
    {
        var timeline = scene.Timeline;
        var from = EventTime.Max(window.From, timeline.Buckets.TimeOf(timeline.Buckets.FirstIndex));
        var visible = new EventSpan(from, EventTime.Min(window.To, timeline.Now));
        var starved = scene.Report.Episodes.Sum(e => e.Lasting(timeline.Now).OverlapMs(visible));
        return visible.Ms > 0 ? Math.Min(1, starved / visible.Ms) : null;
    }

    /// <summary>Whether a column on the screen shows the dot: the queue length is known, and there is no episode.</summary>
    public static bool IsCalmSomewhere(Scene scene, TimeWindow window, FoldedTimeline fold)
    {
        var bands = Shown(scene, window).Select(e => e.Lasting(scene.Timeline.Now))
            .Select(span => (From: window.XOf(span.From), To: window.XOf(span.To))).ToArray();
        return Enumerable.Range(0, fold.Columns.Length).Any(x => fold.Columns[x] is { Seen: true, Lost: false, QueueLength: >= 0 }
            && !bands.Any(band => band.From <= x && x <= band.To));
    }

    // Draws a dot only where the queue length is known; elsewhere items may have waited.
    static void DrawGround(Pane plot, int x, FoldedTimeline fold)
    {
        var column = fold.Columns[x];
        var unknown = column.QueueLength < 0 || column.Lost;
        if (column.Seen && (!unknown || (fold.First + x) % UnknownEvery == 0))
        {
            plot.Put(x, 0, unknown ? column.Lost ? 'x' : '?' : plot.Glyphs.Calm, column.Lost ? Role.Lost : Role.Faint);
        }
    }

    /// <summary>Returns the episodes that are partly or fully on the screen.</summary>
    public static IEnumerable<StarvedEpisode> Shown(Scene scene, TimeWindow window) => scene.Report.Episodes
        .Where(e => e.Lasting(scene.Timeline.Now) is var span && span.To >= window.From && span.From < window.To);

    public static (char Rune, Role Role) Mark(Verdict kind, GlyphSet glyphs) => kind switch
    {
        Verdict.SilentlyStarved => ('~', Role.Starvation),
        Verdict.Saturated => ('%', Role.Cpu),
        Verdict.StarvedAtMax => ('m', Role.Starvation),
        Verdict.Wedged or Verdict.Held => ('!', Role.Starvation),
        _ => (glyphs.Starved, Role.Starvation),
    };

    static void Fill(Pane plot, TimeWindow window, EventSpan span, Verdict kind)
    {
        if (span.To < window.From || span.From >= window.To)
        {
            return;
        }

        var (rune, role) = Mark(kind, plot.Glyphs);
        for (var x = Math.Max(0, window.XOf(span.From)); x <= Math.Min(window.XOf(span.To), window.Count - 1); x++)
        {
            plot.Put(x, 0, rune, role);
        }
    }
}

/// <summary>Draws the number of HTTP requests under way; a second row shows the time of the slowest request that ended recently.</summary>
static class RequestLane
{
    const double LeastUnderWay = 10;

    /// <summary>Maximum age of data that counts as current, milliseconds.</summary>
    const double Recent = 2500;

    public static void Draw(LaneBox lane, RequestTimes requests, TimeWindow window, Scene scene)
    {
        var now = scene.Timeline.Now;
        var columns = Columns(requests.OverTime, window);
        var most = columns.Max();
        var area = new AreaLane(AreaLane.Nice(most, LeastUnderWay), Role.Queue, _ => 0);
        lane.Scale(Format.Brief(area.Ceiling));
        for (var x = 0; x < columns.Length; x++)
        {
            if (columns[x] > 0)
            {
                area.DrawColumn(lane.Plot, x, columns[x]);
            }
        }

        lane.Note(lane.Plot.Height - 1, IsNow(requests, now) ? Known(scene, requests.UnderWay) : "unwatched", Role.Queue);
        if (lane.Plot.Height > 1)
        {
            lane.Note(0, Slowest(requests, now) is > 0 and { } slowest ? $"worst {LatestValueTexts.Age(slowest)}" : "");
        }
    }

    // Returns the number as a lower bound, because a request that began before the watch is seen only when the request ends.
    static string Known(Scene scene, int underWay) =>
        underWay == 0 ? "not known" : LatestValueTexts.Newest(scene, $">={Format.Brief(underWay)}");

    static bool IsNow(RequestTimes requests, EventTime now) => now.MsSince(requests.Watched.To) <= Recent;

    static double Slowest(RequestTimes requests, EventTime now) => requests.OverTime
        .Where(p => p.Ended > 0 && now.MsSince(p.Span.To) < Recent / 2).Select(p => p.SlowestMs).DefaultIfEmpty().Max();

    // Returns the largest number of requests under way in each column. A data point covers a second; a column may be shorter or longer.
    static double[] Columns(ImmutableArray<RequestPoint> points, TimeWindow window)
    {
        var columns = new double[(int)(window.End - window.First)];
        foreach (var point in points)
        {
            var (from, to) = (window.ColumnOf(point.Span.From) - window.First, window.ColumnOf(point.Span.To) - window.First);
            for (var x = Math.Max(0, from); x < Math.Min(columns.Length, Math.Max(to, from + 1)); x++)
            {
                columns[x] = Math.Max(columns[x], point.UnderWay);
            }
        }

        return columns;
    }
}

/// <summary>
/// The simulated curve of a what-if, drawn over the measured one in its lane. A star marks the simulated curve alone, an at-sign both. The
/// simulated curve is known only for the time span of the simulation.
/// </summary>
sealed class SimulatedLane
{
    const char Alone = '*';
    const char Both = '@';

    readonly Most?[] columns;

    public SimulatedLane(WhatIfAnswer answer, TimeWindow window, EventTime now)
    {
        columns = new Most?[window.Count];
        var (curve, end) = (answer.Run.Curve, SimulatedSpan.End(answer, now));
        var next = 0;
        SimulatedPoint? held = null;
        for (var x = 0; x < window.Count; x++)
        {
            var (from, to) = (window.TimeOf(window.First + x), window.TimeOf(window.First + x + 1));
            Most? most = held is { } before && from <= end ? Most.Of(before) : null;
            for (; next < curve.Length && curve[next].At < to; next++)
            {
                held = curve[next];
                most = curve[next].At >= from && curve[next].At <= end
                    ? most?.And(curve[next]) ?? Most.Of(curve[next])
                    : from <= end && to > answer.From ? Most.Of(curve[next])
                    : most;
            }

            columns[x] = to <= answer.From ? null : most;
        }
    }

    /// <summary>The range of values that the lanes must show.</summary>
    public LaneScales Ranges => columns.OfType<Most>().ToList() is { Count: > 0 } known
        ? new(known.Min(c => c.Workers), known.Max(c => c.Workers), known.Max(c => c.QueueLength), 0)
        : LaneScales.Empty;

    /// <summary>Largest number of simulated worker threads on the screen; null if the screen shows none.</summary>
    public int? MostWorkers => columns.Max(c => c?.Workers);

    public void DrawWorkers(Pane plot, FoldedTimeline fold, ThreadScale scale)
    {
        var last = -1;
        for (var x = 0; x < columns.Length; x++)
        {
            if (columns[x] is not { } column)
            {
                last = -1;
                continue;
            }

            var (row, seen) = (scale.RowOf(column.Workers), fold.Columns[x].Workers);
            for (var y = Math.Min(row, last < 0 ? row : last); y <= Math.Max(row, last); y++)
            {
                var both = seen.IsKnown && y >= scale.RowOf(seen.Min) && y <= scale.RowOf(seen.Max);
                plot.Put(x, plot.Height - 1 - y, both ? Both : Alone, Role.Title);
            }

            last = row;
        }
    }

    public void DrawQueueLength(Pane plot, FoldedTimeline fold, double ceiling)
    {
        for (var x = 0; x < columns.Length; x++)
        {
            if (columns[x] is { } column)
            {
                var (row, seen) = (RowOf(column.QueueLength), fold.Columns[x].QueueLength);
                plot.Put(x, plot.Height - 1 - row, seen >= 0 && RowOf(seen) == row ? Both : Alone, Role.Title);
            }
        }

        int RowOf(long value) => Math.Clamp((int)Math.Ceiling(value / ceiling * plot.Height) - 1, 0, plot.Height - 1);
    }

    readonly record struct Most(int Workers, long QueueLength)
    {
        public static Most Of(SimulatedPoint point) => new(point.Workers, point.QueueLength);

        public Most And(SimulatedPoint point) => new(Math.Max(Workers, point.Workers), Math.Max(QueueLength, point.QueueLength));
    }
}

/// <summary>The scale of a lane of threads: maps thread counts to rows.</summary>
/// <param name="Base">Lowest value of the bottom row.</param>
/// <param name="Step">Number of thread counts per row.</param>
readonly record struct ThreadScale(int Base, int Step)
{
    /// <summary>Returns the finest scale with which all values fit into <paramref name="rows"/> rows.</summary>
    public static ThreadScale For(LaneScales ranges, int rows)
    {
        if (ranges.ThreadsMax < 0 || rows <= 0)
        {
            return new(0, 1);
        }

        for (var decade = 1L; ; decade *= 10)
        {
            foreach (var factor in (ReadOnlySpan<long>)[1, 2, 3, 5])
            {
                var step = factor * decade;
                var low = ranges.ThreadsMin / step * step;
                if (low + rows * step > ranges.ThreadsMax || step > int.MaxValue / 10)
                {
                    return new((int)low, (int)step);
                }
            }
        }
    }

    /// <summary>Returns the finest scale that begins at zero, so that heights are proportional to values.</summary>
    public static ThreadScale FromZero(LaneScales ranges, int rows) =>
        For(ranges.ThreadsMax < 0 ? ranges : ranges with { ThreadsMin = 0 }, rows);

    /// <summary>Returns the row of a value, counted from the bottom.</summary>
    public int RowOf(int value) => (int)Math.Floor((value - Base) / (double)Step);

    /// <summary>Returns the dot row of a value, counted from the bottom; a row of cells has four dot rows.</summary>
    public int DotOf(int value) => (int)Math.Floor((value - Base) * 4.0 / Step);

    /// <summary>
    /// Returns the lowest value above a row, counted from the bottom; for the top row, this value is the label at the top of the lane.
    /// </summary>
    public int TopOf(int row) => Base + (row + 1) * Step;
}

/// <summary>Draws sparse question marks at the foot of a lane, where the value of the lane is not known.</summary>
static class UnknownMarks
{
    /// <summary>Distance in columns between two question marks.</summary>
    const int Every = 4;

    /// <summary>Maximum age of a missing value that is not marked yet, milliseconds: its counter sample may be a second late.</summary>
    const double OnItsWayMs = 2200;

    public static void Draw(Pane plot, FoldedTimeline fold, Func<TimelineColumn, bool> isKnown)
    {
        var wasUnknown = false;
        for (var x = 0; x < End(fold, isKnown); x++)
        {
            var unknown = fold.Columns[x] is { Seen: true, Lost: false } column && !isKnown(column);
            if (unknown && (!wasUnknown || (fold.First + x) % Every == 0))
            {
                plot.Put(x, plot.Height - 1, '?', Role.Faint);
            }

            wasUnknown = unknown;
        }
    }

    static int End(FoldedTimeline fold, Func<TimelineColumn, bool> isKnown)
    {
        var newest = fold.Columns.Length;
        while (newest > 0 && !(fold.Columns[newest - 1].Seen && isKnown(fold.Columns[newest - 1])))
        {
            newest--;
        }

        return newest > 0 && (fold.Columns.Length - newest) * fold.ColumnMs <= OnItsWayMs ? newest : fold.Columns.Length;
    }
}
