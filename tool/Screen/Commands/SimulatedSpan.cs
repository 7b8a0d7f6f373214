using Tpwatch.Screen.State;
using Tpwatch.WhatIf;

namespace Tpwatch.Screen.Commands;

/// <summary>The time span of a what-if: from the first item to the later end of the measured and the simulated run.</summary>
static class SimulatedSpan
{
    public static EventSpan Of(WhatIfAnswer answer, EventTime now)
    {
        var seen = answer.Seen.TotalMs is { } total ? answer.From.PlusMs(total) : now;
        return new(answer.From, EventTime.Max(seen, End(answer, now)));
    }

    /// <summary>Returns when the last simulated item completes; <paramref name="now"/> if some items never complete.</summary>
    public static EventTime End(WhatIfAnswer answer, EventTime now) => answer.Run.TotalMs is { } total ? answer.From.PlusMs(total) : now;

    /// <summary>Brings the time span onto the screen, unless the screen already shows that span.</summary>
    public static ViewState Show(Scene scene, int columns)
    {
        var (window, now) = (scene.Window(columns), scene.Timeline.Now);
        var span = Of(scene.State.Simulated!, now);
        var seen = new EventSpan(span.From, span.To < now ? span.To : now);
        return window.Shows(span.From) && window.To >= seen.To ? scene.State : Navigation.Fit(scene, columns, seen);
    }
}
