using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Decides whether past events still matter, by their age and share: one task wait at the start does not make the verdict of a day
/// compensated, and one lost event does not make it undecided.
/// </summary>
static class Significance
{
    /// <summary>How recent an event must be to count for a user who looks now, milliseconds.</summary>
    const double RecentMs = 60_000;

    /// <summary>The share of minutes with an event from which it counts as recurring.</summary>
    const double HabitShare = 0.1;

    /// <summary>The share of time with lost events from which the rest cannot be called healthy.</summary>
    const double LostShare = 0.05;

    /// <summary>Whether the times are recent, or spread over a tenth of the capture's minutes.</summary>
    public static bool IsWorthTelling(IEnumerable<EventTime> moments, TimelineSnapshot timeline)
    {
        var minutes = new HashSet<long>();
        foreach (var at in moments)
        {
            if (timeline.Now.MsSince(at) <= RecentMs)
            {
                return true;
            }

            minutes.Add((long)(at.MsSince(timeline.Start) / RecentMs));
        }

        return minutes.Count * RecentMs >= HabitShare * Standstill.CaptureMs(timeline) && minutes.Count > 0;
    }

    /// <summary>Whether losses are large or recent enough that "no item waited" is not certain.</summary>
    public static bool IsLossWorthTelling(TimelineSnapshot timeline)
    {
        var quality = timeline.Quality;
        if (quality is { Lost: 0, LossUnknown: false })
        {
            return false;
        }

        // A loss without a known time may be anywhere.
        return quality.LossSpans.IsEmpty
            || quality.LossSpans.Any(s => timeline.Now.MsSince(s.To) <= RecentMs)
            || quality.LossSpans.Sum(s => s.Ms) >= LostShare * Standstill.CaptureMs(timeline);
    }
}
