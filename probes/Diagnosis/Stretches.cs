using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Episodes that do not overlap, for queries about many times: each query takes a few steps, however many episodes there are.
/// </summary>
sealed class Stretches(IEnumerable<StarvedEpisode> episodes)
{
    readonly ImmutableArray<EventSpan> spans = [.. episodes.Select(e => e.Span).OrderBy(span => span.From)];

    /// <summary>Whether an episode shares time with the span between two times.</summary>
    public bool Touch(EventTime from, EventTime to) =>
        TimeOrder.FirstAfter(spans, from, span => span.To) is var first && first < spans.Length && spans[first].From < to;

    /// <summary>Whether a given time is in an episode, including its first and last moment.</summary>
    public bool Hold(EventTime at) => Touch(new(at.Nanoseconds - 1), new(at.Nanoseconds + 1));
}
