using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>The reading of the process's memory as text: the waits of its threads, and the items in the queue.</summary>
static class InsideRenderer
{
    /// <summary>Most lines in the short report.</summary>
    const int Brief = 3;

    /// <summary>Most waits in the short report.</summary>
    const int BriefWaits = 2;

    /// <summary>Most kinds of queued items in one line.</summary>
    const int BriefKinds = 3;

    /// <summary>Most waits and most kinds in the whole report; the JSON report has all.</summary>
    const int Most = 20;

    /// <summary>The most important lines; none without a reading.</summary>
    public static IEnumerable<LabelledText> Short(PoolReport report) => report.Inside is not { } reading ? [] : Labelled(
            "waits for", [.. reading.Waits.Where(w => w.Workers > 0).OrderByDescending(w => w.Workers).Take(BriefWaits)
                .Select(w => Wait(w, reading))])
        .Concat(reading.Queue is { Total: > 0 } queue && InsideWords.Kinds(queue, BriefKinds) is { } kinds
            ? [new("in queue", Words.OneLine(kinds))] : [])
        .Concat(reading.Limits is { } limits ? [new("limits", InsideWords.Of(limits))] : [])
        .Take(Brief);

    /// <summary>The lines of the section; none without a reading.</summary>
    public static IEnumerable<string> Lines(PoolReport report, TimeStyle time) => report.Inside is not { } reading ? [] :
    [
        .. TextLayout.Title("Memory of the process"),
        .. TextLayout.Fact("read", $"{time.Spoken(report.Timeline, reading.At)}, {InsideWords.Taken(reading)}"),
        .. Facts(reading),
    ];

    /// <summary>The contents of the reading, one fact per line.</summary>
    public static IEnumerable<string> Facts(InsideReading reading) =>
    [
        .. reading.Limits is { } limits ? TextLayout.Fact("limits", InsideWords.Of(limits)) : [],
        .. Facts("waits for", reading.Waits.Take(Most).Select(w => Wait(w, reading))),
        .. reading.Queue is { } queue
            ? TextLayout.Fact("queue", InsideWords.Places(queue))
                .Concat(Facts("in queue", queue.Kinds.Take(Most).Select(k => Words.OneLine(InsideWords.Kind(k)))))
            : [],
        .. Facts("not known", reading.Unknown.Select(u => Words.OneLine(InsideWords.Of(u)))),
    ];

    static string Wait(InsideWait wait, InsideReading reading) => Words.OneLine(InsideWords.Of(wait, reading));

    static IEnumerable<LabelledText> Labelled(string label, IEnumerable<string> texts) =>
        texts.Select((text, i) => new LabelledText(i == 0 ? label : "", text));

    static IEnumerable<string> Facts(string label, IEnumerable<string> texts) =>
        Labelled(label, texts).SelectMany(t => TextLayout.Fact(t.Label!, t.Text));
}
