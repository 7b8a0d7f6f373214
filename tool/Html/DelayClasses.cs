using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>Maps an injection delay to its CSS classes and to a sign for its judgement, for the HTML page.</summary>
static class DelayClasses
{
    /// <summary>Returns the CSS class for the reason of the adjustment or the kind of the wait.</summary>
    public static string Of(InjectionDelay delay) => DelayMark.Of(delay).Role switch
    {
        Role.Starvation or Role.Alarm => "is-starvation",
        Role.Blocking => "is-blocking",
        Role.Climbing => "is-climbing",
        _ => "is-other",
    };

    /// <summary>Returns the CSS class for the judgement of an injection delay.</summary>
    public static string OfVerdict(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.AsExpected => "is-fit",
        DelayVerdict.Early or DelayVerdict.Late or DelayVerdict.NoRule => "is-misfit",
        _ => "is-other",
    };

    /// <summary>Returns one character for the judgement, the same as on the screen.</summary>
    public static string Sign(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.AsExpected => "=",
        DelayVerdict.Early or DelayVerdict.Late => "!",
        DelayVerdict.NoRule => "?",
        DelayVerdict.Open => "o",
        _ => "\u00B7",
    };

    /// <summary>Whether the page draws the delay: only waits with a known start, so no hill climbing, ramp or thread timeout.</summary>
    public static bool IsDrawn(InjectionDelay delay) =>
        delay.IsWait && delay.Start is not null && DelayMark.HasMark(delay) && delay.Reason is not AdjustmentReason.ThreadTimedOut;
}
