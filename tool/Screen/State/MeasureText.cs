using Tpwatch.Text;

namespace Tpwatch.Screen.State;

/// <summary>Describes the span between two marks: length, number of injections and events, and how long items waited.</summary>
static class MeasureText
{
    public static string Of(Scene scene, EventTime a, EventTime b)
    {
        var span = a <= b ? new EventSpan(a, b) : new EventSpan(b, a);
        var between = scene.Events.Where(g => g.End > span.From && g.End <= span.To).ToList();
        var starved = scene.Report.Episodes.Where(e => e.Kind != Verdict.Held)
            .Sum(e => Overlap(e.Over ? e.Span : new(e.Span.From, scene.Timeline.Now), span));
        return $"A to B: {Format.Duration(span.Ms)}, {Format.Plural(between.Count(DelayMark.IsInjection), "injection")}, "
            + $"{Format.Plural(between.Count, "event")}, items waited for {Format.Duration(starved)} of that.";
    }

    static double Overlap(EventSpan one, EventSpan other)
    {
        var (from, to) = (one.From > other.From ? one.From : other.From, one.To < other.To ? one.To : other.To);
        return Math.Max(0, to.MsSince(from));
    }
}
