namespace Tpwatch.Text;

/// <summary>The time axis in the drawing of an injection delay, on the screen and on the HTML page alike.</summary>
static class DelayScale
{
    /// <summary>Allowed moments later than this multiple of the observed delay are not drawn.</summary>
    const double Beyond = 1.15;

    /// <summary>
    /// Milliseconds from the last progress to the end of the delay or to the last allowed moment drawn. For an open delay every allowed
    /// moment is drawn.
    /// </summary>
    public static double WholeMs(InjectionDelay delay, double observedMs)
    {
        var allowed = delay.Windows.Select(w => w.MaxMs).Where(double.IsFinite);
        return Math.Max(
            1, (delay.Verdict == DelayVerdict.Open ? allowed : allowed.Where(max => max <= observedMs * Beyond)).Append(observedMs).Max());
    }
}
