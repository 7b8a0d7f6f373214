using Tpwatch.Screen.Drawing;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>An injection delay or adjustment as text: its facts in one line, and one line per gate check.</summary>
static class DelayText
{
    /// <summary>Maximum number of allowed moments in the list.</summary>
    const int MostWindows = 3;

    /// <summary>Width of a line, in columns, above which each allowed window is written with both ends.</summary>
    const int WideText = 90;

    /// <summary>Maximum length of an allowed window, milliseconds, for which a narrow line shows only the middle.</summary>
    const double NarrowMs = 20;

    /// <summary>Returns the facts of the event that fit on one line.</summary>
    public static string Facts(InjectionDelay delay, Scene scene, int width) =>
        TextFit.Fit(Facts(delay, DelayMark.Of(delay), scene, wide: width > WideText), width);

    /// <summary>Returns the gate checks, one line each, oldest first.</summary>
    public static IEnumerable<string> Ticks(InjectionDelay delay) => delay.Ticks.Select((check, i) =>
    {
        var at = delay.Start is { } start ? Format.Ms(check.At.MsSince(start)) : "?";
        var sure = check.Sure ? "" : " (not certain)";
        return FormattableString.Invariant($"{(check.Fired ? '>' : ' ')} check {i + 1} at {at}: {check.Why}{sure}");
    });

    static IEnumerable<string> Facts(InjectionDelay delay, DelayMark mark, Scene scene, bool wide) =>
    [
        $"{mark.Letter} {mark.Name}",
        delay.TargetThreadsBefore is null && delay.TargetThreadsAfter is null
            ? ""
            : $"target {LevelTexts.Count(delay.TargetThreadsBefore)}->{LevelTexts.Count(delay.TargetThreadsAfter)}",
        delay.ObservedMs is { } ms ? $"delay {Format.Ms(ms)}" : delay.Verdict == DelayVerdict.NotTimed ? "" : "delay ?",
        $"{DelayWords.Of(delay)} {Words.CodeOrNothing(delay.Mechanism)}".TrimEnd(),
        Allowed(delay, wide),
        scene.AtTime(delay.End),
    ];

    static string Allowed(InjectionDelay delay, bool wide) => delay.Windows.IsEmpty ? ""
        : $"allowed {string.Join(", ", delay.Windows.Take(MostWindows).Select(w => Window(w, wide)))}"
            + $"{(delay.Windows.Length > MostWindows ? " .." : "")} ms";

    // Windows at gate checks are a few milliseconds long, so on a narrow line their middle is enough.
    static string Window(DelayWindow window, bool wide)
    {
        if (!wide && window.MaxMs - window.MinMs <= NarrowMs)
        {
            return FormattableString.Invariant($"{(window.MinMs + window.MaxMs) / 2:0}");
        }

        var (min, max) = (Math.Round(window.MinMs), Math.Round(window.MaxMs));
        return min == max ? FormattableString.Invariant($"{min:0}") : FormattableString.Invariant($"{min:0}..{max:0}");
    }
}
