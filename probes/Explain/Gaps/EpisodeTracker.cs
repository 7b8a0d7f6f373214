using System.Collections.Immutable;
using Tpwatch.Timeline;

namespace Tpwatch.Explain.Gaps;

/// <summary>Joins the stretches in which items waited into episodes, and says of which kind each is.</summary>
sealed class EpisodeTracker
{
    /// <summary>Two stretches closer than this are one episode: a heartbeat and a half, so that one missing reading does not split it.</summary>
    const double SameEpisodeMs = 1500;

    /// <summary>More episodes than anybody reads; the oldest go first.</summary>
    const int Capacity = 1000;

    readonly List<Stretch> episodes = [];

    /// <summary>
    /// An injection by the gate while work waited: nothing was dequeued for this long. How long a single item waited it does not prove.
    /// </summary>
    public void Starved(EventSpan span, double? cpu) => Join(Reading(span, detected: true, cpu, longestMs: 0));

    /// <summary>The counters prove that some item has waited through the span.</summary>
    public void Waited(EventSpan span, double? cpu) => Join(Reading(span, detected: false, cpu, span.Ms));

    public ImmutableArray<StarvedEpisode> Snapshot(EventTime now, double heartbeatMs) =>
        [.. episodes.Select(e => new StarvedEpisode(e.Span, e.Kind, now.MsSince(e.Span.To) > heartbeatMs + SameEpisodeMs, e.LongestMs))];

    static Stretch Reading(EventSpan span, bool detected, double? cpu, double longestMs) =>
        new(span, detected, cpu is null ? 0 : 1, cpu >= Policies.GateTiming.BusyCpu ? 1 : 0, longestMs);

    void Join(Stretch stretch)
    {
        var last = episodes.Count - 1;
        if (last >= 0 && stretch.Span.From.MsSince(episodes[last].Span.To) <= SameEpisodeMs)
        {
            // A proven wait may reach back before the last episode's own start.
            var joined = episodes[last].With(stretch);
            episodes.RemoveAt(last);
            Join(joined);
            return;
        }

        episodes.Add(stretch);
        if (episodes.Count > Capacity)
        {
            episodes.RemoveAt(0);
        }
    }

    sealed record Stretch(EventSpan Span, bool Detected, int Readings, int BusyReadings, double LongestMs)
    {
        // Busy processors explain the wait whether or not the gate injected: its rule fires under load too, only later.
        public Verdict Kind => Readings > 0 && BusyReadings * 2 > Readings ? Verdict.Saturated
            : Detected ? Verdict.Starved
            : Verdict.SilentlyStarved;

        public Stretch With(Stretch next) => new(
            new(Span.From < next.Span.From ? Span.From : next.Span.From, Span.To > next.Span.To ? Span.To : next.Span.To),
            Detected || next.Detected, Readings + next.Readings, BusyReadings + next.BusyReadings, Math.Max(LongestMs, next.LongestMs));
    }
}
