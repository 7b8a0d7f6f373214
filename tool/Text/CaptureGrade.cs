namespace Tpwatch.Text;

/// <summary>How far a capture can be trusted, in one word.</summary>
enum CaptureGrade
{
    /// <summary>Nothing is known to be missing.</summary>
    Good,

    /// <summary>Something is missing; the report says where.</summary>
    Degraded,

    /// <summary>More than 5 % of the events or of the time is missing: totals are only lower bounds.</summary>
    Poor,
}

/// <summary>Grades captures by the share of lost events and lost time.</summary>
static class CaptureGrades
{
    /// <summary>Above this share of lost events or lost time the grade is <see cref="CaptureGrade.Poor"/>.</summary>
    const double PoorShare = 0.05;

    public static CaptureGrade Of(TimelineSnapshot timeline)
    {
        var quality = timeline.Quality;
        if (quality is { Lost: 0, LossUnknown: false, Undecodable: 0, LossSpans.Length: 0 })
        {
            return CaptureGrade.Good;
        }

        var lostEvents = Share(quality.Lost + quality.Undecodable, quality.Events + quality.Lost);
        var lostTime = Share(quality.LossSpans.Sum(s => s.Ms), timeline.Now.MsSince(timeline.Start));
        return Math.Max(lostEvents, lostTime) > PoorShare ? CaptureGrade.Poor : CaptureGrade.Degraded;
    }

    static double Share(double part, double whole) => whole > 0 ? part / whole : 0;
}
