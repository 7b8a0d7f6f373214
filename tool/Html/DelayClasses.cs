using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>How an injection delay looks on the HTML page: CSS classes and signs.</summary>
static class DelayClasses
{
    /// <summary>The CSS class for the reason of the adjustment or the kind of the wait.</summary>
    public static string Of(InjectionDelay delay) => DelayMark.Of(delay).Role switch
    {
        Role.Starvation or Role.Alarm => "is-starvation",
        Role.Blocking => "is-blocking",
        Role.Climbing => "is-climbing",
        _ => "is-other",
    };

    /// <summary>The CSS class for the judgement.</summary>
    public static string OfVerdict(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.AsExpected => "is-fit",
        DelayVerdict.Early or DelayVerdict.Late or DelayVerdict.NoRule => "is-misfit",
        _ => "is-other",
    };

    /// <summary>One character for the judgement, as on the screen.</summary>
    public static string Sign(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.AsExpected => "=",
        DelayVerdict.Early or DelayVerdict.Late => "!",
        DelayVerdict.NoRule => "?",
        DelayVerdict.Open => "o",
        _ => "\u00B7",
    };

    /// <summary>Whether it is drawn: only waits, so not hill climbing, which answers no wait, nor a ramp, which takes no time.</summary>
    public static bool IsDrawn(InjectionDelay delay) =>
        delay.IsWait && delay.Start is not null && DelayMark.HasMark(delay) && delay.Reason is not AdjustmentReason.ThreadTimedOut;
}
