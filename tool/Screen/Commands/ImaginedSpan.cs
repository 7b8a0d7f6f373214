using Tpwatch.Screen.State;
using Tpwatch.WhatIf;

namespace Tpwatch.Screen.Commands;

/// <summary>The stretch of time that a what-if tells of: from the first item to the later of the two ends.</summary>
static class ImaginedSpan
{
    public static EventSpan Of(WhatIfAnswer answer, EventTime now)
    {
        var seen = answer.Seen.TotalMs is { } total ? answer.From.PlusMs(total) : now;
        return new(answer.From, EventTime.Max(seen, End(answer, now)));
    }

    /// <summary>When the last imagined item ends; <paramref name="now"/> where some never do.</summary>
    public static EventTime End(WhatIfAnswer answer, EventTime now) => answer.Run.TotalMs is { } total ? answer.From.PlusMs(total) : now;

    /// <summary>Brings it onto the screen, unless it is there already.</summary>
    public static ViewState Show(Scene scene, int columns)
    {
        var (window, now) = (scene.Window(columns), scene.Timeline.Now);
        var span = Of(scene.State.Imagined!, now);
        var seen = new EventSpan(span.From, span.To < now ? span.To : now);
        return window.Shows(span.From) && window.To >= seen.To ? scene.State : Navigation.Fit(scene, columns, seen);
    }
}
