using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;

namespace Tpwatch.Scoring.Truths;

/// <summary>When the machine did not let the fixture run, by its own hiccup log. It excuses only what it overlaps in time.</summary>
static class TrueStandstill
{
    /// <summary>The log sleeps 5 ms at a time, so that the begin of a standstill is known no better.</summary>
    const double LookMs = 5;

    /// <summary>How long the fixture stood still within a stretch of time, milliseconds.</summary>
    public static double MsWithin(RunTruth truth, EventTime from, EventTime to) =>
        truth.Hiccups.Sum(hiccup => OverlapMs(Span(hiccup), from, to));

    /// <summary>The longest standstill that touches a stretch of time, milliseconds.</summary>
    public static double LongestMs(RunTruth truth, EventTime from, EventTime to) =>
        truth.Hiccups.Where(hiccup => OverlapMs(Span(hiccup), from, to) > 0).Select(hiccup => hiccup.OvershootMs).DefaultIfEmpty().Max();

    /// <summary>
    /// Whether a late gap is late because the machine did not run the fixture: for all of the time between the last allowed moment before
    /// its end and that end, but for what the log cannot see. Early is excused by nothing.
    /// </summary>
    public static bool Excuses(InjectionDelay delay, RunTruth truth)
    {
        if (delay is not { Verdict: DelayVerdict.Late, Start: { } start, ObservedMs: { } observed }
            || !delay.Windows.Any(w => w.MaxMs < observed))
        {
            return false;
        }

        var due = start.PlusMs(delay.Windows.Where(w => w.MaxMs < observed).Max(w => w.MaxMs));
        return MsWithin(truth, due.PlusMs(-LookMs), delay.End) >= delay.End.MsSince(due) - LookMs;
    }

    static EventSpan Span(TruthHiccup hiccup) => new(ObservedRun.At(hiccup.At).PlusMs(-hiccup.OvershootMs), ObservedRun.At(hiccup.At));

    static double OverlapMs(EventSpan span, EventTime from, EventTime to) =>
        Math.Max(0, (span.To < to ? span.To : to).MsSince(span.From > from ? span.From : from));
}
