using Tpwatch.Screen.Drawing;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>One gap in lines: what happened, why, and what the gate saw at each tick.</summary>
static class GapText
{
    /// <summary>More allowed moments than this are not listed.</summary>
    const int MostWindows = 3;

    /// <summary>From so many columns on windows are written with both ends.</summary>
    const int WideText = 90;

    /// <summary>Windows at ticks are at most so wide.</summary>
    const double NarrowMs = 20;

    /// <summary>What happened: one line.</summary>
    public static string Facts(Gap gap, Scene scene, int width) =>
        TextFit.Fit(Facts(gap, GapMark.Of(gap), scene, wide: width > WideText), width);

    /// <summary>What the gate saw, a line a tick, oldest first.</summary>
    public static IEnumerable<string> Ticks(Gap gap) => gap.Ticks.Select((tick, i) =>
    {
        var at = gap.Start is { } start ? Format.Ms(tick.At.MsSince(start)) : "?";
        var sure = tick.Sure ? "" : " (not certain)";
        return FormattableString.Invariant($"{(tick.Fired ? '>' : ' ')} check {i + 1} at {at}: {tick.Why}{sure}");
    });

    static IEnumerable<string> Facts(Gap gap, GapMark mark, Scene scene, bool wide) =>
    [
        $"{mark.Letter} {mark.Name}",
        gap.GoalBefore is null && gap.GoalAfter is null
            ? ""
            : $"target {LevelTexts.Count(gap.GoalBefore)}->{LevelTexts.Count(gap.GoalAfter)}",
        gap.ObservedMs is { } ms ? $"delay {Format.Ms(ms)}" : gap.Verdict == GapVerdict.NotTimed ? "" : "delay ?",
        $"{VerdictWords.Of(gap)} {Words.CodeOrNothing(gap.Mechanism)}".TrimEnd(),
        Allowed(gap, wide),
        scene.AtTime(gap.End),
    ];

    static string Allowed(Gap gap, bool wide) => gap.Windows.IsEmpty ? ""
        : $"allowed {string.Join(", ", gap.Windows.Take(MostWindows).Select(w => Window(w, wide)))}"
            + $"{(gap.Windows.Length > MostWindows ? " .." : "")} ms";

    // Windows are a few milliseconds wide; where there is little room, the middle says enough.
    static string Window(GapWindow window, bool wide)
    {
        if (!wide && window.MaxMs - window.MinMs <= NarrowMs)
        {
            return FormattableString.Invariant($"{(window.MinMs + window.MaxMs) / 2:0}");
        }

        var (min, max) = (Math.Round(window.MinMs), Math.Round(window.MaxMs));
        return min == max ? FormattableString.Invariant($"{min:0}") : FormattableString.Invariant($"{min:0}..{max:0}");
    }
}
