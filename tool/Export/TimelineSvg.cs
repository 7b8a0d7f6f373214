using System.Text;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>Draws the timeline as SVG: several lanes over one time axis.</summary>
sealed class TimelineSvg(PoolReport report, TimeStyle time)
{
    /// <summary>Width of a column of marks, SVG units; closer letters would touch. A column shows its most important mark.</summary>
    const double MarkWidth = 9.5;

    /// <summary>Maximum number of gate checks that are drawn. With more, the marks would merge, so the whole lane is left out.</summary>
    const int MostTicks = 240;

    const double LeastQueueLength = 10;
    const double LeastDone = 10;
    const double LeastThreads = 4;
    const double LeastRequests = 10;

    readonly SvgTimeAxis plot = SvgTimeAxis.Of(report.Timeline);
    readonly IReadOnlyList<(EventTime At, SeriesPoint Values)> points =
        [.. SeriesPoint.Of(report.Timeline).Select(p => (report.Timeline.Start.PlusMs(p.T), p))];
    double y = 4;

    /// <summary>Returns the content of the drawing in words, for screen readers.</summary>
    public static string Described(PoolReport report) =>
        $"{VerdictWords.Of(report)}. Largest number of worker threads: {Phrases.CountOr(report.MaxWorkers)}, "
        + $"longest queue {Phrases.CountOr(report.MaxQueueLength)}, "
        + $"{VerdictWords.Lasting(report)} {Phrases.Starved(report)}; adjustments {DelayWords.Adjustments(report.Adjustments)}.";

    public static Markup Draw(PoolReport report, TimeStyle time) =>
        new TimelineSvg(report, time).Draw(Markup.None, "role=\"img\" aria-labelledby=\"timeline-title timeline-text\"");

    /// <summary>Returns the drawing as the content of an SVG file, in the style of the page.</summary>
    public static string File(PoolReport report, TimeStyle time)
    {
        var style = Markup.Of(
            $"<style>{new Markup(EmbeddedFiles.TimelineCss)}svg{{background:var(--paper);font-family:system-ui,sans-serif}}</style>");
        return new TimelineSvg(report, time).Draw(style,
            "xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"timeline-title timeline-text\" width=\"1000\"").Source
            + "\n";
    }

    Markup Draw(Markup style, string attributes)
    {
        Markup[] lanes =
        [
            Threads(), Marks("inject", Letter), Marks("judged", Judgement), Gate(), Starved(),
            Area(Take(48, SvgTimeAxis.Nice(points.Max(p => (double?)p.Values.QueueLength) ?? 0, LeastQueueLength)), "queue", "queue",
                p => p.QueueLength, v => Format.Brief(v)),
            Area(Take(34, 1), "cpu %", "cpu", p => p.Cpu, v => Format.Brief(v * 100)),
            Area(Take(34, SvgTimeAxis.Nice(points.Max(p => p.Values.CompletedPerSecond) ?? 0, LeastDone)), "item/s", "done",
                p => p.CompletedPerSecond, v => Format.Brief(v)),
            Requests(),
        ];
        var height = y + 22;
        return Markup.Of(
            $"<svg class=\"timeline\" viewBox=\"0 0 1000 {height}\" {new Markup(attributes)}><title id=\"timeline-title\">Timeline "
                + $"of {report.Timeline.Target.Name}</title><desc id=\"timeline-text\">{Described(report)}</desc>{style}{Defs}"
                + $"{Episodes(height)}{lanes}{Lost(height)}{Axis()}</svg>");
    }

    static Markup Defs => Markup.Of(
        $"<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
            + $"<path class=\"hatch\" d=\"M0 0V5\"/></pattern></defs>");

    Markup Threads()
    {
        var lane = Take(112, SvgTimeAxis.Nice(points.Max(p => (double?)Math.Max(p.Values.Workers ?? 0, p.Values.TargetThreads ?? 0))
            ?? 0, LeastThreads));
        var levels = report.Timeline.Levels;
        var min = report.Timeline.Target.MinWorkers.Value;
        return Markup.Of(
            $"{lane.Frame("threads", v => Format.Brief(v))}{lane.Unknown(p => p.Workers)}"
                + $"{Min(lane, min)}"
                + $"{lane.Area("workers-area", p => p.Workers)}{lane.Line("workers", p => p.Workers)}"
                + $"{lane.Line("goal", p => p.TargetThreads)}"
                + $"{Note(lane.Top + 9, "workers-note", levels.Workers is { } now ? Format.Plural(now, "thread") : "")}"
                + $"{Note(lane.Top + 23, "goal-note", Phrases.Named("target", levels.TargetThreads) ?? "")}"
                + $"{Note(lane.Bottom, "faint", Phrases.Named("MinThreads", min) ?? "")}");
    }

    Markup Area(SvgLane lane, string name, string look, Func<SeriesPoint, double?> value, Func<double, string> label)
    {
        var last = points.Select(p => value(p.Values)).LastOrDefault(v => v is not null);
        var most = points.Max(p => value(p.Values));
        return Markup.Of(
            $"{lane.Frame(name, label)}{lane.Unknown(value)}{lane.Area(look, value)}"
                + $"{Note(lane.Top + 9, "faint", most is { } m ? $"most {label(m)}" : "")}"
                + $"{Note(lane.Bottom, look + "-note", last is { } v ? $"last {label(v)}" : "")}");
    }

    // Requests have their own points, one for each second in which requests were measured.
    Markup Requests()
    {
        if (report.Requests is not { OverTime: [_, .., var last] over })
        {
            return Markup.None;
        }

        var most = SvgTimeAxis.Nice(over.Max(p => p.UnderWay), LeastRequests);
        var seconds = over.Select(p => (p.Span.From, (int?)p.UnderWay)).Append((last.Span.To, null)).Where(p => plot.Shows(p.Item1))
            .Select(p => (p.Item1, new SeriesPoint(0, p.Item2, null, null, null, null)));
        var lane = Take(34, most) with { Points = [.. seconds] };
        return Markup.Of(
            $"{lane.Frame("requests", v => Format.Brief(v))}{lane.Area("queue", p => p.Workers)}"
                + $"{Note(lane.Top + 9, "faint", $"most {Format.Brief(over.Max(p => p.UnderWay))}")}"
                + $"{Note(lane.Bottom, "queue-note", $"slowest {Format.Duration(over.Max(p => p.SlowestMs))}")}");
    }

    Markup Marks(string name, Func<InjectionDelay, (string Text, string Look)> mark)
    {
        var (top, shown) = (y, report.InjectionDelays.Where(g => DelayMark.HasMark(g) && plot.Shows(g.End)));
        y += 17;
        var columns = shown.GroupBy(g => Math.Round(plot.X(g.End) / MarkWidth))
            .Select(c => (X: c.Key * MarkWidth, InjectionDelay: c.MinBy(g => DelayMark.Of(g).Rank)!, Count: c.Count()))
            .Where(c => mark(c.InjectionDelay).Text != " ");
        var marks = columns.Select(c => Markup.Of(
            $"<a href=\"#gap-{c.InjectionDelay.Number}\" tabindex=\"-1\"><text class=\"mark {mark(c.InjectionDelay).Look}\" x=\"{c.X}\" "
                + $"y=\"{top + 11}\">{mark(c.InjectionDelay).Text}<title>{Told(c.InjectionDelay, c.Count)}</title></text></a>"));
        return Markup.Of($"<text class=\"name\" x=\"0\" y=\"{top + 11}\">{name}</text>{marks}");
    }

    string Told(InjectionDelay delay, int count) =>
        $"{time.Clock(report.Timeline, delay.End)} {DelayWords.EndedBy(delay)} target {DelayFields.TargetThreads(delay)}, "
        + $"delay {DelayFields.Length(delay)}, {DelayFields.Judged(delay)}{(count > 1 ? $"; {count - 1} more at this point" : "")}";

    static Markup Min(SvgLane lane, int? min) => min is { } m && m <= lane.Most
        ? Markup.Of($"<path class=\"min\" d=\"M{SvgTimeAxis.Left} {lane.Y(m)}H{SvgTimeAxis.Right}\"><title>MinThreads {m}</title></path>")
        : Markup.None;

    static (string, string) Letter(InjectionDelay delay) => (DelayMark.Of(delay).Letter.ToString(), DelayCssClasses.Of(delay));

    static (string, string) Judgement(InjectionDelay delay) =>
        (DelayMark.OfVerdict(delay.Verdict).ToString(), DelayCssClasses.OfVerdict(delay.Verdict));

    Markup Gate()
    {
        var checks = report.InjectionDelays.SelectMany(g => g.Ticks).Where(t => plot.Shows(t.At)).ToList();
        if (checks.Count is 0 or > MostTicks)
        {
            return Markup.None;
        }

        var top = y;
        y += 15;
        var marks = checks.Select(t => Markup.Of(
            $"<path class=\"{(t.Fired ? "tick fired" : "tick")}\" d=\"M{plot.X(t.At)} {top + 2}v8\"><title>"
                + $"{time.Clock(report.Timeline, t.At)} {(t.Fired ? "added one: " : "")}{t.Why}</title></path>"));
        return Markup.Of($"<text class=\"name\" x=\"0\" y=\"{top + 10}\">gate</text>{marks}");
    }

    Markup Starved()
    {
        var top = y;
        y += 18;
        var bands = report.Episodes.Where(e => e.Span.To >= plot.From).Select(e => Markup.Of(
            $"<rect class=\"band {Words.Of(e.Kind)}\" x=\"{plot.X(e.Span.From)}\" y=\"{top + 1}\" width=\""
                + $"{Math.Max(1, plot.X(e.Span.To) - plot.X(e.Span.From))}\" height=\"11\"><title>{VerdictWords.Of(e.Kind)} from "
                + $"{time.Clock(report.Timeline, e.Span.From)} for {Format.Duration(e.Span.Ms)}</title></rect>"));
        var whole = report.Timeline.Now.MsSince(report.Timeline.Start);
        var share = Words.IsStarvingKnown(report) && whole > 0 ? Format.Percent(report.StarvedMs / whole) : "";
        return Markup.Of(
            $"<text class=\"name\" x=\"0\" y=\"{top + 11}\">{VerdictWords.Lasting(report)}</text>"
                + $"<path class=\"rule\" d=\"M{SvgTimeAxis.Left} {top + 12}H{SvgTimeAxis.Right}\"/>"
                + $"{bands}{Note(top + 11, "starved-note", share)}");
    }

    Markup Episodes(double height) => Markup.Join(report.Episodes.Where(e => e.Span.To >= plot.From).Select(e => Markup.Of(
        $"<rect class=\"shade\" x=\"{plot.X(e.Span.From)}\" y=\"0\" width=\"{plot.X(e.Span.To) - plot.X(e.Span.From)}\" height=\""
            + $"{height - 22}\"/>")));

    Markup Lost(double height) => Markup.Join(report.Timeline.Quality.LossSpans.Where(s => s.To >= plot.From).Select(s => Markup.Of(
        $"<rect class=\"unknown\" x=\"{plot.X(s.From)}\" y=\"0\" width=\"{Math.Max(1, plot.X(s.To) - plot.X(s.From))}\" height=\""
            + $"{height - 22}\"><title>events were lost here</title></rect>")));

    Markup Axis() => Markup.Join(plot.Marks(report.Timeline.Start).Select(at => Markup.Of(
        $"<path class=\"grid\" d=\"M{plot.X(at)} 0V{y}\"/><text class=\"axis\" x=\"{plot.X(at)}\" y=\"{y + 14}\">{Label(at)}</text>")));

    string Label(EventTime at) => time == TimeStyle.Utc && report.Timeline.StartUtc != default
        ? report.Timeline.UtcOf(at)
            .ToString(plot.LengthMs < 8000 ? "HH:mm:ss.f" : "HH:mm:ss", System.Globalization.CultureInfo.InvariantCulture)
        : Format.Clock(at.MsSince(report.Timeline.Start), tenths: plot.LengthMs < 8000);

    static Markup Note(double y, string look, string text) =>
        Markup.Of($"<text class=\"note {look}\" x=\"{SvgTimeAxis.Right + 8}\" y=\"{y}\">{text}</text>");

    SvgLane Take(double height, double most)
    {
        var lane = new SvgLane(plot, points, y + 2, height, most);
        y += height + 12;
        return lane;
    }
}

/// <summary>One lane of the timeline, which shows a value over time.</summary>
/// <param name="Points">The points in time with all their values; the lane draws one of these values.</param>
/// <param name="Top">Upper edge of the lane, SVG units.</param>
/// <param name="Height">Height of the lane, SVG units.</param>
/// <param name="Most">The value at the lane's upper edge.</param>
sealed record SvgLane(SvgTimeAxis Plot, IReadOnlyList<(EventTime At, SeriesPoint Values)> Points, double Top, double Height, double Most)
{
    /// <summary>Lower edge of the lane, where the value is zero, SVG units.</summary>
    public double Bottom => Top + Height;

    public double Y(double value) => Bottom - Math.Clamp(value / Most, 0, 1) * Height;

    /// <summary>Returns a line in steps, with interruptions where the value is not known.</summary>
    public Markup Line(string look, Func<SeriesPoint, double?> value) => Path(look, Steps(value, close: false));

    /// <summary>Returns a filled area in steps, with interruptions where the value is not known.</summary>
    public Markup Area(string look, Func<SeriesPoint, double?> value) => Path(look, Steps(value, close: true));

    /// <summary>Returns a rectangle for each interval in which the value is not known.</summary>
    public Markup Unknown(Func<SeriesPoint, double?> value) =>
        Markup.Join(Runs(p => value(p) is null).Select(run => Markup.Of(
            $"<rect class=\"unknown\" x=\"{run.From}\" y=\"{Top}\" width=\"{run.To - run.From}\" height=\""
                + $"{Height}\"><title>not known</title></rect>")));

    /// <summary>Returns the lane's name, its scale and the lines at its edges.</summary>
    public Markup Frame(string name, Func<double, string> label) => Markup.Of(
        $"<text class=\"name\" x=\"0\" y=\"{Top + 9}\">{name}</text><text class=\"scale\" x=\"{SvgTimeAxis.Left - 6}\" y=\"{Top + 9}\">"
            + $"{label(Most)}</text><text class=\"scale\" x=\"{SvgTimeAxis.Left - 6}\" y=\"{Bottom}\">{label(0)}</text><path "
            + $"class=\"rule\" d=\"M{SvgTimeAxis.Left} {Top}H{SvgTimeAxis.Right}M{SvgTimeAxis.Left} {Bottom}H{SvgTimeAxis.Right}\"/>");

    static Markup Path(string look, string data) => data.Length == 0 ? Markup.None : Markup.Of($"<path class=\"{look}\" d=\"{data}\"/>");

    string Steps(Func<SeriesPoint, double?> value, bool close)
    {
        var data = new StringBuilder();
        foreach (var (from, to) in Stretches(value))
        {
            var level = double.NaN;
            for (var i = from; i < to; i++)
            {
                var (x, y) = (X(i), Y(value(Points[i].Values)!.Value));
                if (i == from)
                {
                    data.Append(CultureInfo.InvariantCulture, $"M{x:0.#} {(close ? Bottom : y):0.#}")
                        .Append(close ? string.Create(CultureInfo.InvariantCulture, $"V{y:0.#}") : "");
                }
                else if (Math.Abs(y - level) > 0.04)
                {
                    data.Append(CultureInfo.InvariantCulture, $"H{x:0.#}V{y:0.#}");
                }

                level = y;
            }

            data.Append(CultureInfo.InvariantCulture, $"H{X(to):0.#}")
                .Append(close ? string.Create(CultureInfo.InvariantCulture, $"V{Bottom:0.#}Z") : "");
        }

        return data.ToString();
    }

    double X(int index) => index < Points.Count ? Plot.X(Points[index].At) : SvgTimeAxis.Right;

    IEnumerable<(int From, int To)> Stretches(Func<SeriesPoint, double?> value)
    {
        var from = -1;
        for (var i = 0; i <= Points.Count; i++)
        {
            var known = i < Points.Count && value(Points[i].Values) is not null;
            if (known && from < 0)
            {
                from = i;
            }
            else if (!known && from >= 0)
            {
                yield return (from, i);
                from = -1;
            }
        }
    }

    IEnumerable<(double From, double To)> Runs(Func<SeriesPoint, bool> holds) =>
        Stretches(p => holds(p) ? 1 : null).Select(run => (X(run.From), X(run.To)));
}

/// <summary>The time axis of a timeline, which maps times to SVG units.</summary>
sealed record SvgTimeAxis(EventTime From, EventTime To)
{
    /// <summary>Left edge of the lanes, SVG units; names and scales are to the left of it.</summary>
    public const double Left = 74;

    /// <summary>Right edge of the lanes, SVG units; notes are to the right of it.</summary>
    public const double Right = 916;

    /// <summary>Possible distances between two labels of the axis, milliseconds.</summary>
    static readonly double[] Steps =
    [
        50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
    ];

    /// <summary>Maximum number of labels of the axis; more would overlap.</summary>
    const int MostMarks = 9;

    /// <summary>Returns the axis for the part of a capture whose values are still in memory.</summary>
    public static SvgTimeAxis Of(TimelineSnapshot timeline)
    {
        var from = timeline.Buckets.FirstIndex > 0 ? timeline.Buckets.TimeOf(timeline.Buckets.FirstIndex) : timeline.Start;
        return new(from, EventTime.Max(timeline.Now, from.PlusMs(1)));
    }

    public double LengthMs => To.MsSince(From);

    /// <summary>Returns the position of a time, SVG units; a time outside of the axis is at the nearer edge.</summary>
    public double X(EventTime at) => Left + Math.Clamp(at.MsSince(From) / LengthMs, 0, 1) * (Right - Left);

    public bool Shows(EventTime at) => at >= From && at <= To;

    /// <summary>Returns the times with a label: round times since <paramref name="start"/>, the start of the capture.</summary>
    public IEnumerable<EventTime> Marks(EventTime start)
    {
        var step = Steps.FirstOrDefault(s => LengthMs / s <= MostMarks, Steps[^1]);
        for (var ms = Math.Ceiling(From.MsSince(start) / step) * step; start.PlusMs(ms) <= To; ms += step)
        {
            yield return start.PlusMs(ms);
        }
    }

    /// <summary>Returns the smallest round number (1, 2 or 5 times a power of ten) that is at least as large as both values.</summary>
    public static double Nice(double value, double least)
    {
        var wanted = Math.Max(value, least);
        var power = Math.Pow(10, Math.Floor(Math.Log10(wanted)));
        return ((double[])[1, 2, 5, 10]).Select(m => m * power).First(v => v >= wanted - 1e-9);
    }
}
