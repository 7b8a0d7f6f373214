using Tpwatch.WhatIf;

namespace Tpwatch.Text;

/// <summary>Renders a what-if answer: the change, the measured and simulated values in columns, the curves, and the basis.</summary>
static class WhatIfRenderer
{
    const int Columns = 78;

    /// <summary>Column widths: measured, same settings simulated, changed settings simulated, and changed settings at worst.</summary>
    static readonly ImmutableArray<int> Widths = [14, 18, 20, 18];

    /// <summary>The rows of the table: the name of each value, and the value as text.</summary>
    public static ImmutableArray<(string Name, Func<WhatIfFigures, string> Text)> Figures { get; } =
    [
        ("until all items complete", f => Text(f.TotalMs)), ("queue time, mean", f => Text(f.StartDelayMs)),
        ("queued to done, mean", f => Text(f.LatencyMs)), ("most worker threads", f => Phrases.CountOr(f.PeakWorkers)),
        ("longest queue", f => Phrases.CountOr(f.PeakQueueLength)), ("starved", f => Text(f.StarvedMs)),
    ];

    /// <summary>Returns the whole answer; ends with a line break.</summary>
    public static string Render(PoolReport report, WhatIfAnswer answer) => string.Join('\n', Lines(report, answer)) + "\n";

    /// <summary>Returns the section of a report; none if the report has no what-if answer.</summary>
    public static IEnumerable<string> Section(PoolReport report)
    {
        if (report.WhatIf is not [var first, ..] offered)
        {
            return [];
        }

        // If no change can be simulated, a single line says why.
        var told = offered.FirstOrDefault(w => w.Unknown is null);
        return
        [
            $"What if{Origin(told)}",
            .. told is null ? TextLayout.Point(">", Words.OneLine(first.Unknown!), 2) : Offered(offered, told),
        ];
    }

    static string Origin(WhatIfEffect? told) => told switch
    {
        null => "",
        { MetLate: true } => " (times since the first counter sample, when items already waited)",
        _ => " (times since the first item was queued)",
    };

    static IEnumerable<string> Offered(ImmutableArray<WhatIfEffect> offered, WhatIfEffect told) =>
    [
        .. offered.SelectMany(w => TextLayout.Point(">", Words.OneLine($"{w.Change}: {w.Unknown ?? w.Effect}"), 2)),
        .. TextLayout.Fact("basis", Words.OneLine(told.Basis)), .. TextLayout.Fact("uncertainty", Words.OneLine(told.Uncertainty)),
    ];

    static IEnumerable<string> Lines(PoolReport report, WhatIfAnswer answer) => answer.Unknown is { } why
        ? TextLayout.Wrap($"WHAT IF {Words.OneLine(answer.Change.Words)}: {Words.OneLine(why)}")
        : Known(report, answer);

    static IEnumerable<string> Known(PoolReport report, WhatIfAnswer answer) =>
    [
        $"WHAT IF {Words.OneLine(answer.Change.Words)}",
        .. TextLayout.Wrap(Headline(answer)),
        "",
        .. Table(answer),
        "",
        .. Curves(report, answer),
        "",
        .. TextLayout.Fact("pool", $"{Format.Plural(answer.Settings.Processors, "processor")}, "
            + $"MinThreads {Format.Count(answer.Settings.Min)}"
            + (answer.Settings.Max is { } max ? $", MaxThreads {Format.Count(max)}" : "; MaxThreads not known")),
        .. TextLayout.Fact("basis", answer.Basis),
        .. TextLayout.Fact("uncertainty", answer.Uncertainty),
        .. answer.Remarks.SelectMany(remark => TextLayout.Fact("remark", remark)),
    ];

    public static string Headline(WhatIfAnswer answer) => Sentence.Of(Words.OneLine(WhatIfWords.Times(answer)));

    static IEnumerable<string> Table(WhatIfAnswer answer)
    {
        var two = answer.Worst is not null;
        yield return Row(
            "", two ? ["measured", "same, simulated", "changed, better", "changed, worse"]
                : ["measured", "same, simulated", "changed, simulated"]);
        var shown = new[] { answer.Seen, answer.Same, answer.Simulated, answer.Worst }.OfType<WhatIfFigures>();
        foreach (var (name, text) in Figures)
        {
            yield return Row(name, shown.Select(text));
        }
    }

    static IEnumerable<string> Curves(PoolReport report, WhatIfAnswer answer)
    {
        var columns = WhatIfCurve.Of(report, answer, Columns);
        var lengthMs = columns.Count < 2 ? 0 : columns[1].FromMs * columns.Count;
        return
        [
            .. CurvePairRenderer.Lines(
                "threads", [.. columns.Select(c => (double?)c.SeenWorkers)], [.. columns.Select(c => (double?)c.Workers)]),
            .. CurvePairRenderer.Lines(
                "queue", [.. columns.Select(c => (double?)c.SeenQueueLength)], [.. columns.Select(c => (double?)c.QueueLength)]),
            CurvePairRenderer.Axis(Columns, lengthMs),
            $"{"",10}o measured   * simulated   @ both",
        ];
    }

    static string Row(string what, IEnumerable<string> figures) =>
        $"  {what,-24}{string.Concat(figures.Zip(Widths, (text, width) => text.PadLeft(width)))}".TrimEnd();

    static string Text(double? ms) => ms is { } known ? Format.Duration(known) : "not known";
}

/// <summary>One column of the curves, measured and simulated: the maximum of each value in an interval, null if not known.</summary>
/// <param name="FromMs">Start of the interval, milliseconds after the first item.</param>
sealed record WhatIfColumn(double FromMs, int? SeenWorkers, long? SeenQueueLength, int? Workers, long? QueueLength);

/// <summary>Computes the measured and the simulated curves on one time axis.</summary>
static class WhatIfCurve
{
    /// <summary>Returns <paramref name="columns"/> intervals of equal length from the first item to the end of the longer run.</summary>
    public static IReadOnlyList<WhatIfColumn> Of(PoolReport report, WhatIfAnswer answer, int columns)
    {
        var seenMs = answer.Seen.TotalMs ?? report.Timeline.Now.MsSince(answer.From);
        var imaginedMs = answer.Simulated.TotalMs ?? seenMs;
        var width = Math.Max(1, Math.Max(seenMs, imaginedMs) / columns);
        return [.. Enumerable.Range(0, columns).Select(n => Column(n * width, (n + 1) * width))];

        WhatIfColumn Column(double fromMs, double toMs)
        {
            var (from, to) = (answer.From.PlusMs(fromMs), answer.From.PlusMs(toMs));
            var seen = fromMs < seenMs;
            var points = fromMs < imaginedMs ? Points(answer, from, to) : [];
            return new(
                fromMs, seen ? SeenWorkers(report.Timeline.Buckets, from, to) : null, seen ? SeenQueueLength(report.Timeline, from, to)
                    : null,
                points.Length == 0 ? null : points.Max(p => p.Workers), points.Length == 0 ? null : points.Max(p => (long)p.QueueLength));
        }
    }

    // Returns the points of the simulated curve for the interval, with the last point before it, which is valid at its start.
    static SimulatedPoint[] Points(WhatIfAnswer answer, EventTime from, EventTime to)
    {
        var curve = answer.Run.Curve;
        var before = curve.Count(p => p.At <= from) - 1;
        return [.. curve.Skip(Math.Max(0, before)).TakeWhile(p => p.At < to)];
    }

    static int? SeenWorkers(BucketSeries buckets, EventTime from, EventTime to)
    {
        var most = -1;
        for (var index = buckets.IndexOf(from); index <= buckets.IndexOf(to); index++)
        {
            most = Math.Max(most, buckets[index].WorkersMax);
        }

        return most < 0 ? null : most;
    }

    static long? SeenQueueLength(TimelineSnapshot timeline, EventTime from, EventTime to) =>
        timeline.CounterSamples.Where(sample => sample.At >= from && sample.At < to).Select(sample => sample.QueueLength).Max()
            ?? timeline.CounterSamples.FirstOrDefault(sample => sample.At >= to)?.QueueLength;
}

/// <summary>Draws two curves in one lane of plain characters: o measured, * simulated, @ both.</summary>
static class CurvePairRenderer
{
    const int Height = 6;

    const int ScaleWidth = 8;

    /// <summary>Returns the lines of a lane, the highest value first. Unknown values are not drawn.</summary>
    public static IEnumerable<string> Lines(string title, IReadOnlyList<double?> seen, IReadOnlyList<double?> simulated)
    {
        var top = Math.Max(1, seen.Concat(simulated).Max() ?? 1);
        for (var row = Height - 1; row >= 0; row--)
        {
            var scale = row == Height - 1 ? Format.Count((long)top) : row == 0 ? "0" : "";
            var cells = seen.Zip(simulated, (one, other) => Mark(Row(one, top) == row, Row(other, top) == row));
            yield return $"{scale,ScaleWidth} |{new string(cells.ToArray())}".TrimEnd() + (row == Height - 1 ? $"  {title}" : "");
        }
    }

    public static string Axis(int columns, double lengthMs)
    {
        var end = Format.Seconds(Math.Round(lengthMs / 10) * 10);
        return $"{"",ScaleWidth} +{new string('-', columns)}\n{"",ScaleWidth}  0s{end.PadLeft(columns - 2)}";
    }

    static int Row(double? value, double top) => value is { } v ? (int)Math.Round(v / top * (Height - 1)) : -1;

    static char Mark(bool seen, bool simulated) => (seen, simulated) switch
    {
        (true, true) => '@',
        (true, false) => 'o',
        (false, true) => '*',
        _ => ' ',
    };
}
