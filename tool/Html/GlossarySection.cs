using Tpwatch.Diagnosis;
using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>Renders the page's glossary, which explains only the words that the page uses.</summary>
static class GlossarySection
{
    static readonly (string Word, string Means)[] Terms =
    [
        ("worker thread", "A thread of the thread pool that runs work items."),
        ("item", "Work queued to the pool: the continuation of an await, a request, a timer that is due."),
        ("queue", "Items that wait for a worker thread."),
        ("target", "The target thread count: how many worker threads the pool wants now. Below this count, a thread starts at once."),
        ("MinThreads", "The minimum of the target thread count. Up to this number, threads start without a delay."),
        ("gate", "The pool's monitor thread. A check every 500 ms adds a thread if requested and no item was dequeued for over 500 ms."),
        ("gate check", "A check by the gate thread. Only a check that adds a thread sends an event. "
            + "tpwatch computes the others from the clock."),
        ("injection delay", "Time from the last known progress of the pool to the next added thread, or to now."),
        ("starved", "Items waited a second or more while every worker thread was busy."),
        ("SILENTLY STARVED", "Starved, but the runtime did not detect it: items completed so often that the pool added no thread."),
        ("saturated", "Items waited because the processors were busy. More threads would not help."),
        ("as expected", "The pool added the thread at a moment that the runtime's rule allows, and missed no earlier one."),
        ("late", "The pool missed an allowed moment and added the thread later. Often other processes used the processors."),
        ("not judged", "Events were lost during the delay, the process did not run, or the start of the delay is not known."),
        ("not timed", "Not a delay: the pool only changed its target thread count."),
        ("not over", "Items still wait, and the pool has not added the next thread yet."),
        ("hill climbing", "The pool tries one thread more or one fewer, and keeps what raises the throughput."),
        ("counter sample", "The counters of the process, once a second: worker threads, queue, completed items, processor time."),
        ("cpu", "Processor time of the process as a share of all its processors."),
    ];

    /// <summary>Returns the section: words that occur in <paramref name="page"/>, and codes and findings of the report.</summary>
    public static Markup Of(PoolReport report, string page)
    {
        var words = Terms.Where(t => page.Contains(t.Word, StringComparison.OrdinalIgnoreCase)).Select(t => (Id: "", t.Word, t.Means));
        var codes = FindingCatalogue.Codes
            .Where(c => report.InjectionDelays.Any(g => Words.Code(g.Mechanism) == c.Id
                || (g.Also is { } also && Words.Code(also) == c.Id)))
            .Select(c => (c.Id, Word: $"{c.Id}: {c.Title}", Means: c.Text.Mechanism));
        var findings = FindingCatalogue.Findings.Where(f => report.Findings.Any(found => found.Id == f.Id))
            .Select(f => (f.Id, Word: $"{f.Id}: {f.Title}", Means: $"{f.Text.Mechanism} False alarms: {f.Text.FalseAlarms}"));
        return Markup.Of($"""
            <section id="glossary"><h2>Glossary</h2><dl>{words.Concat(codes).Concat(findings).Select(t => Markup.Of($"<dt{(t.Id.Length > 0 ? Markup.Of($" id=\"term-{t.Id}\"") : Markup.None)}>{t.Word}</dt><dd>{t.Means}</dd>"))}</dl></section>
            """);
    }
}
