using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// What is past weighs by its age and its share: one wait for a task at the start does not make a day
/// compensated, nor one lost event a day undecided.
/// </summary>
static class Weight
{
    /// <summary>What came within the last minute is what somebody who looks now asks about.</summary>
    const double RecentMs = 60_000;

    /// <summary>A minute in ten in which it came is a habit.</summary>
    const double HabitShare = 0.1;

    /// <summary>Of what was lost in a twentieth of the time nobody knows enough to call the rest healthy.</summary>
    const double LostShare = 0.05;

    /// <summary>Whether moments are recent, or spread over a tenth of the capture's minutes.</summary>
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

    /// <summary>Whether so much was lost, or so lately, that "nothing waited" cannot be said.</summary>
    public static bool IsLossWorthTelling(TimelineSnapshot timeline)
    {
        var quality = timeline.Quality;
        if (quality is { Lost: 0, LossUnknown: false })
        {
            return false;
        }

        // Loss that nobody can place may lie anywhere.
        return quality.LossSpans.IsEmpty
            || quality.LossSpans.Any(s => timeline.Now.MsSince(s.To) <= RecentMs)
            || quality.LossSpans.Sum(s => s.Ms) >= LostShare * Standstill.CaptureMs(timeline);
    }
}
