using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>
/// Renders the report in the JSON trace format of Perfetto and Chrome. Values of the pool become counter tracks. Injection delays, gate
/// checks, episodes and findings become slices or marks. Times are in microseconds since the start of the capture.
/// </summary>
sealed class ChromeTraceRenderer(PoolReport report, Utf8JsonWriter json)
{
    // First row of each kind of slice or mark. Each kind has its own range of rows, because the viewer sorts rows by number.
    const int EpisodeRow = 1;
    const int WaitRow = 10;
    const int GateRow = 40;
    const int MoveRow = 41;
    const int FindingRow = 50;

    /// <summary>The process id that is written if a recording contains none, because the format requires one.</summary>
    const int UnknownPid = 1;

    readonly int pid = report.Timeline.Target.Pid is > 0 and var known ? known : UnknownPid;

    /// <summary>Returns the trace as JSON; ends with a line break.</summary>
    public static string Render(PoolReport report, string version)
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream, new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            new ChromeTraceRenderer(report, json).Write(version);
        }

        return Encoding.UTF8.GetString(stream.ToArray()) + "\n";
    }

    void Write(string version)
    {
        json.WriteStartObject();
        json.WriteString("displayTimeUnit", "ms");
        json.WriteStartObject("otherData");
        json.WriteString("tool", $"dotnet tpwatch {version}");
        json.WriteString("start", Format.Utc(report.Timeline.StartUtc));
        json.WriteString("verdict", VerdictWords.Of(report));
        json.WriteEndObject();
        json.WriteStartArray("traceEvents");
        Name("process_name", 0, Words.OneLine($"{report.Timeline.Target.Name}: {VerdictWords.Of(report)}"));
        Counters();
        Slices(report.Episodes, EpisodeRow, "starved", e => e.Span, Episode);
        Slices(report.InjectionDelays.Where(g => g.Start is not null), WaitRow, "injection delays", g => new(g.Start!.Value, g.End), Wait);
        Moments();
        Slices(report.Findings, FindingRow, "findings", f => new(f.From, f.To), Finding);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    void Counters()
    {
        (string Name, Func<SeriesPoint, double?> Of)[] counters =
        [
            ("workers", p => p.Workers), ("goal", p => p.TargetThreads), ("backlog", p => p.QueueLength),
            ("cpu %", p => p.Cpu * 100), ("completed per second", p => p.CompletedPerSecond),
        ];
        var points = SeriesPoint.Of(report.Timeline);
        foreach (var (name, of) in counters)
        {
            double? before = null;
            foreach (var point in points.Where(p => of(p) is not null))
            {
                if (of(point) is { } value && value != before)
                {
                    Event("C", name, 0, report.Timeline.Start.PlusMs(point.T));
                    Arguments(() => json.WriteNumber("value", Math.Round(value, 3)));
                    before = value;
                }
            }
        }

        foreach (var p in report.Requests?.OverTime ?? [])
        {
            Event("C", "requests", 0, p.Span.From);
            Arguments(() => json.WriteNumber("under way", p.UnderWay));
        }
    }

    void Slices<T>(IEnumerable<T> items, int firstRow, string rows, Func<T, EventSpan> span, Action<T, int> write)
    {
        var named = -1;
        foreach (var (item, row) in TraceRowLayout.Of(items, span))
        {
            if (row > named)
            {
                named = row;
                Name("thread_name", firstRow + row, row == 0 ? rows : $"{rows} ({row + 1})");
            }

            write(item, firstRow + row);
        }
    }

    void Episode(StarvedEpisode e, int row)
    {
        Slice(Words.Of(e.Kind), row, e.Span);
        Arguments(() => json.WriteNumber("provenWaitMs", Math.Round(e.ProvenWaitMs, 3)));
    }

    void Wait(InjectionDelay delay, int row)
    {
        Slice($"{DelayWords.Code(delay)} {DelayFields.TargetThreads(delay)} {DelayFields.Judged(delay)}", row,
            new(delay.Start!.Value, delay.End));
        Arguments(() => About(delay));
    }

    void Finding(Finding finding, int row)
    {
        Slice($"{finding.Id} {finding.Title}", row, new(finding.From, finding.To));
        Arguments(() =>
        {
            json.WriteString("severity", Words.Of(finding.Severity));
            json.WriteString("headline", finding.Headline);
        });
    }

    // Writes what has no duration: gate checks, and adjustments whose delay has no known start.
    void Moments()
    {
        Name("thread_name", GateRow, "gate");
        foreach (var check in report.InjectionDelays.SelectMany(g => g.Ticks))
        {
            Moment(check.Fired ? "adds one" : "looks", GateRow, check.At);
            Arguments(() =>
            {
                json.WriteString("why", check.Why);
                json.WriteBoolean("sure", check.Sure);
            });
        }

        Name("thread_name", MoveRow, "other thread count adjustments");
        foreach (var delay in report.InjectionDelays.Where(g => g.Start is null))
        {
            Moment($"{DelayWords.Code(delay)} {DelayFields.TargetThreads(delay)}", MoveRow, delay.End);
            Arguments(() => About(delay));
        }
    }

    void About(InjectionDelay delay)
    {
        json.WriteNumber("number", delay.Number);
        json.WriteString("rule", Words.Code(delay.Mechanism));
        json.WriteString("verdict", Words.Of(delay.Verdict));
        json.WriteString("because", delay.Because);
        json.WriteString("cpu", DelayFields.Cpu(delay));
        json.WriteString("backlog", DelayFields.Queue(delay));
    }

    void Name(string what, int row, string name)
    {
        Event("M", what, row, report.Timeline.Start);
        Arguments(() => json.WriteString("name", name));
    }

    void Slice(string name, int row, EventSpan span)
    {
        Event("X", name, row, span.From);
        json.WriteNumber("dur", Math.Round(Math.Max(0, span.Ms) * 1000, 3));
    }

    void Moment(string name, int row, EventTime at)
    {
        Event("i", name, row, at);
        json.WriteString("s", "t");
    }

    void Event(string phase, string name, int row, EventTime at)
    {
        json.WriteStartObject();
        json.WriteString("ph", phase);
        json.WriteString("name", Words.OneLine(name));
        json.WriteString("cat", "pool");
        json.WriteNumber("pid", pid);
        json.WriteNumber("tid", row);
        json.WriteNumber("ts", Math.Round(at.MsSince(report.Timeline.Start) * 1000, 3));
    }

    void Arguments(Action write)
    {
        json.WriteStartObject("args");
        write();
        json.WriteEndObject();
        json.WriteEndObject();
    }
}

/// <summary>
/// Distributes time spans over few rows. Spans in one row do not overlap, because a trace viewer nests or drops overlapping spans.
/// </summary>
static class TraceRowLayout
{
    /// <summary>Returns each item with the number of its row, counted from 0.</summary>
    public static IEnumerable<(T Item, int Row)> Of<T>(IEnumerable<T> items, Func<T, EventSpan> span)
    {
        var ends = new List<EventTime>();
        foreach (var item in items.OrderBy(i => span(i).From))
        {
            var (from, to) = span(item);
            var row = ends.FindIndex(end => end <= from);
            if (row < 0)
            {
                row = ends.Count;
                ends.Add(to);
            }

            ends[row] = to;
            yield return (item, row);
        }
    }
}
