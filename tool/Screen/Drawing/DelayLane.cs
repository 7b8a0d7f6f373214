using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// Draws injection delays with their milliseconds, and gate checks; used at zooms at which each gate check has its own column.
/// </summary>
static class DelayLane
{
    /// <summary>Draws each delay from the last progress to the injection: <c>|----1001|</c>. A newer delay hides an older one.</summary>
    public static void DrawLengths(Pane plot, IEnumerable<InjectionDelay> delays, TimeWindow window)
    {
        foreach (var delay in Visible(delays, window))
        {
            var (from, to) = (window.XOf(delay.Start!.Value), window.XOf(delay.End));
            for (var x = from + 1; x < to; x++)
            {
                plot.Put(x, 0, plot.Glyphs.Rule, Role.Faint);
            }

            plot.Put(from, 0, '|', Role.Text);
            plot.Put(to, 0, '|', Role.Text);
            var number = FormattableString.Invariant($"{delay.ObservedMs:0}");
            if (number.Length < to - from)
            {
                plot.PutEndingAt(to, 0, number);
            }
        }
    }

    /// <summary>Draws a <c>G</c> for each gate check in a delay, highlighted if the check added a thread; others are not known.</summary>
    public static void DrawTicks(Pane plot, IEnumerable<InjectionDelay> delays, TimeWindow window)
    {
        var visible = Visible(delays, window).ToList();
        foreach (var delay in visible)
        {
            for (var x = window.XOf(delay.Start!.Value); x <= window.XOf(delay.End); x++)
            {
                plot.Put(x, 0, plot.Glyphs.Calm, Role.Faint);
            }
        }

        foreach (var check in visible.SelectMany(g => g.Ticks).Where(t => window.Shows(t.At)))
        {
            plot.Put(window.XOf(check.At), 0, 'G', check.Fired ? Role.Starvation : Role.Text);
        }
    }

    static IEnumerable<InjectionDelay> Visible(IEnumerable<InjectionDelay> delays, TimeWindow window) =>
        delays.Where(g => g.Start is { } start && start < window.To && g.End >= window.From);
}
