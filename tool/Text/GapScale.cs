namespace Tpwatch.Text;

/// <summary>How much time the drawing of a wait shows, on the screen and on a page alike.</summary>
static class GapScale
{
    /// <summary>Allowed moments later than this share beyond the end are of no interest.</summary>
    const double Beyond = 1.15;

    /// <summary>
    /// From the last progress to the end, or to the last allowed moment that is of interest, milliseconds; an open wait looks ahead.
    /// </summary>
    public static double WholeMs(Gap gap, double observedMs)
    {
        var allowed = gap.Windows.Select(w => w.MaxMs).Where(double.IsFinite);
        return Math.Max(
            1, (gap.Verdict == GapVerdict.Open ? allowed : allowed.Where(max => max <= observedMs * Beyond)).Append(observedMs).Max());
    }
}
