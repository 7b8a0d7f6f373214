using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>How an injection delay looks on the HTML page: CSS classes and signs.</summary>
static class GapLook
{
    /// <summary>The CSS class for the reason of the adjustment or the kind of the wait.</summary>
    public static string Of(Gap gap) => GapMark.Of(gap).Role switch
    {
        Role.Starvation or Role.Alarm => "is-starvation",
        Role.Blocking => "is-blocking",
        Role.Climbing => "is-climbing",
        _ => "is-other",
    };

    /// <summary>The CSS class for the judgement.</summary>
    public static string OfVerdict(GapVerdict verdict) => verdict switch
    {
        GapVerdict.Fits => "is-fit",
        GapVerdict.Early or GapVerdict.Late or GapVerdict.NoRule => "is-misfit",
        _ => "is-other",
    };

    /// <summary>One character for the judgement, as on the screen.</summary>
    public static string Sign(Gap gap) => gap.Verdict switch
    {
        GapVerdict.Fits => "=",
        GapVerdict.Early or GapVerdict.Late => "!",
        GapVerdict.NoRule => "?",
        GapVerdict.Open => "o",
        _ => "\u00B7",
    };

    /// <summary>Whether it is drawn: only waits, so not hill climbing, which answers no wait, nor a ramp, which takes no time.</summary>
    public static bool IsDrawn(Gap gap) =>
        gap.IsWait && gap.Start is not null && GapMark.HasMark(gap) && gap.Reason is not AdjustmentReason.ThreadTimedOut;
}
