using Tpwatch.Diagnosis;
using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>What was read of the memory of the process: what threads wait for, and what waits in the queue.</summary>
static class InsideSection
{
    /// <summary>Kinds of queued items that are listed; the rest is in the JSON.</summary>
    const int Most = 50;

    /// <summary>The section; none without a reading.</summary>
    public static Markup Of(PoolReport report) => report.Inside is not { } reading ? Markup.None : Markup.Of($"""
        <section id="inside"><h2>What threads wait for, and what waits in the queue</h2><p>Read {InsideWords.Taken(reading)}.</p>{Limits(reading)}
        <ul>{reading.Waits.Select(w => Markup.Of($"<li><bdi>{InsideWords.Of(w)}</bdi></li>"))}</ul>{Queue(reading)}{Unknown(reading)}</section>
        """);

    static Markup Limits(InsideReading reading) =>
        reading.Limits is { } limits ? Markup.Of($"<p>{Sentence.Of(InsideWords.Of(limits))}</p>") : Markup.None;

    static Markup Queue(InsideReading reading) => reading.Queue is not { } queue ? Markup.None : Markup.Of($"""
        <p>Queue: {InsideWords.Places(queue)}.</p><ol>{queue.Kinds.Take(Most).Select(k => Markup.Of($"<li><bdi>{InsideWords.Kind(k)}</bdi></li>"))}</ol>
        """);

    static Markup Unknown(InsideReading reading) =>
        Markup.Join(reading.Unknown.Select(u => Markup.Of($"<p>Not known: {InsideWords.Of(u)}.</p>")));
}
