using Tpwatch.Screen.Drawing;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>An injection delay or adjustment as text: its facts in one line, and one line per gate check.</summary>
static class GapText
{
    /// <summary>Most allowed moments that are listed.</summary>
    const int MostWindows = 3;

    /// <summary>On a line of more columns than this, each allowed window is written with both ends.</summary>
    const int WideText = 90;

    /// <summary>Largest width of an allowed window at a gate check, milliseconds.</summary>
    const double NarrowMs = 20;

    /// <summary>The facts of the event that fit on one line.</summary>
    public static string Facts(Gap gap, Scene scene, int width) =>
        TextFit.Fit(Facts(gap, GapMark.Of(gap), scene, wide: width > WideText), width);

    /// <summary>The gate checks, one line each, oldest first.</summary>
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

    // Windows are a few milliseconds wide; on a narrow line their middle is enough.
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
