using System.Text;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>Renders CSV tables (RFC 4180, but with line feeds). Each table has a header; unknown values are empty.</summary>
static class CsvRenderer
{
    /// <summary>Returns the table of thread count, queue length and other values over time.</summary>
    public static string Series(PoolReport report) => Table(
        ["ms", "utc", "workers", "goal", "backlog", "completedPerSecond", "cpu"],
        SeriesPoint.Of(report.Timeline).Select(p => (string?[])
        [
            Number(p.T), Utc(report, report.Timeline.Start.PlusMs(p.T)), Number(p.Workers),
            Number(p.TargetThreads), Number(p.QueueLength), Number(p.CompletedPerSecond), Number(p.Cpu),
        ]));

    public static string InjectionDelays(PoolReport report) => Table(
        ["number", "startMs", "endMs", "endUtc", "reason", "goalBefore", "goalAfter",
            "observedMs", "allowedMs", "ticks", "verdict", "rule", "cpu", "backlog", "because"],
        report.InjectionDelays.Select(g => Row(report, g)));

    /// <summary>Returns the table of HTTP requests by route; only the header if requests were not measured.</summary>
    public static string Requests(PoolReport report) => Table(
        ["route", "lostMs", "underWay", "requests", "p50Ms", "p99Ms", "maxMs", "beforeP50Ms", "starvedP50Ms", "afterP50Ms"],
        (report.Requests?.Routes ?? []).Select(r => (string?[])
        [
            Words.OneLine(r.Route), Number(Numbers.Ms(r.LostMs)), Number(r.UnderWay), Number(r.All.Count), Number(Numbers.Ms(r.All.P50Ms)),
            Number(Numbers.Ms(r.All.P99Ms)), Number(Numbers.Ms(r.All.MaxMs)), Number(Numbers.Ms(r.Before?.P50Ms)),
            Number(Numbers.Ms(r.During?.P50Ms)), Number(Numbers.Ms(r.After?.P50Ms)),
        ]));

    static string?[] Row(PoolReport report, InjectionDelay delay) =>
    [
        Number(delay.Number), delay.Start is { } start ? Number(Numbers.At(report.Timeline, start)) : null,
        Number(Numbers.At(report.Timeline, delay.End)), Utc(report, delay.End),
        delay.Reason?.ToString(), Number(delay.TargetThreadsBefore), Number(delay.TargetThreadsAfter), Number(Numbers.Ms(delay.ObservedMs)),
        string.Join(' ', delay.Windows.Select(w => FormattableString.Invariant($"{Numbers.Ms(w.MinMs)}..{Numbers.Ms(w.MaxMs)}"))),
        Number(delay.Ticks.Length),
        Words.Of(delay.Verdict), Words.Code(delay.Mechanism), Number(Numbers.Share(delay.Cpu)), Number(delay.QueueLength),
            Words.OneLine(delay.Because),
    ];

    static string Table(string[] header, IEnumerable<string?[]> rows)
    {
        var text = new StringBuilder();
        foreach (var row in rows.Prepend(header))
        {
            text.AppendJoin(',', row.Select(Cell)).Append('\n');
        }

        return text.ToString();
    }

    static string Cell(string? value) => value is null ? ""
        : value.AsSpan().ContainsAny(",\"\n\r") ? $"\"{value.Replace("\"", "\"\"", StringComparison.Ordinal)}\""
        : value;

    static string? Number(double? value) => value?.ToString("0.####", CultureInfo.InvariantCulture);

    static string Utc(PoolReport report, EventTime at) => report.Timeline.StartUtc == default ? "" : Format.Utc(report.Timeline.UtcOf(at));
}
