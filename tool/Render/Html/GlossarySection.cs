using Tpwatch.Render.Shared;
using Tpwatch.Reporting;
using Tpwatch.Reports;

namespace Tpwatch.Render.Html;

/// <summary>The words that the page uses, and no others.</summary>
static class GlossarySection
{
    static readonly (string Word, string Means)[] Terms =
    [
        ("worker", "A thread of the thread pool that runs work items."),
        ("item", "A callback queued to the pool: the continuation of an await, a request, a timer that is due."),
        ("queue", "Items that wait for a worker; also called backlog."),
        ("goal", "How many workers the pool wants now. Below it a worker starts at once."),
        ("min", "The least that the goal can be: as many workers come without a delay."),
        ("gate",
            "The runtime's thread that looks every 500 ms and adds a worker when nothing was taken from the queue for longer than that."),
        ("tick", "One look of the gate. Only the one that adds a worker is seen as an event; the others follow from the clock."),
        ("wait", "From the last known moment of progress to the next worker, or to now."),
        ("starved", "Items waited while every worker was held."),
        ("silentlyStarved", "The same, and the runtime's own detector did not notice: items ended just often enough."),
        ("saturated", "Items waited because the processors were busy. More workers would not help."),
        ("fits", "The worker came at a moment that the runtime's rule allows, and no earlier one had to be used."),
        ("late", "The worker came after an allowed moment and outside all of them; often the machine was busy elsewhere."),
        ("not timed", "The rule has no clock, or its phase is not known yet."),
        ("hill climbing", "The pool tries a worker more or less and keeps what raises the throughput."),
        ("heartbeat", "The target's counters, once a second: workers, queue, completed items, processor time."),
        ("cpu", "Processor time of the process as a share of all its processors."),
    ];

    /// <summary>The section, for the words and codes that stand in <paramref name="page"/>.</summary>
    public static Markup Of(PoolReport report, string page)
    {
        var words = Terms.Where(t => page.Contains(t.Word, StringComparison.OrdinalIgnoreCase)).Select(t => (Id: "", t.Word, t.Means));
        var codes = FindingCatalogue.Codes
            .Where(c => report.Gaps.Any(g => Words.Code(g.Mechanism) == c.Id || (g.Also is { } also && Words.Code(also) == c.Id)))
            .Select(c => (c.Id, Word: $"{c.Id}: {c.Title}", Means: c.Text.Mechanism));
        var findings = FindingCatalogue.Findings.Where(f => report.Findings.Any(found => found.Id == f.Id))
            .Select(f => (f.Id, Word: $"{f.Id}: {f.Title}", Means: $"{f.Text.Mechanism} False alarms: {f.Text.FalseAlarms}"));
        return Markup.Of($"""
            <section id="glossary"><h2>Glossary</h2><dl>{words.Concat(codes).Concat(findings).Select(t => Markup.Of($"<dt{(t.Id.Length > 0 ? Markup.Of($" id=\"term-{t.Id}\"") : Markup.None)}>{t.Word}</dt><dd>{t.Means}</dd>"))}</dl></section>
            """);
    }
}
