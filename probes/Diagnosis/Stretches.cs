using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Episodes that do not overlap, to be asked about many moments: however many there are, an answer takes a few steps.</summary>
sealed class Stretches(IEnumerable<StarvedEpisode> episodes)
{
    readonly ImmutableArray<EventSpan> spans = [.. episodes.Select(e => e.Span).OrderBy(span => span.From)];

    /// <summary>Whether an episode shares time with what lies between two moments.</summary>
    public bool Touch(EventTime from, EventTime to) =>
        TimeOrder.FirstAfter(spans, from, span => span.To) is var first && first < spans.Length && spans[first].From < to;

    /// <summary>Whether a moment lies in an episode, its first and its last one too.</summary>
    public bool Hold(EventTime at) => Touch(new(at.Nanoseconds - 1), new(at.Nanoseconds + 1));
}
