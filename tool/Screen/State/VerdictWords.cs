using Tpwatch.Render.Shared;
using Tpwatch.Reports;

namespace Tpwatch.Screen.State;

/// <summary>Judgements as the screen says them; each works without colour.</summary>
internal static class VerdictWords
{
    public static string Of(Verdict verdict) => verdict switch
    {
        Verdict.Healthy => "HEALTHY",
        Verdict.Compensated => "COMPENSATED",
        Verdict.Starved => "STARVED",
        Verdict.SilentlyStarved => "SILENT",
        Verdict.Saturated => "SATURATED",
        Verdict.NotThePool => "NOT THE POOL",
        _ => "UNDECIDED",
    };

    public static bool IsTrouble(Verdict verdict) => verdict is Verdict.Starved or Verdict.SilentlyStarved or Verdict.Saturated;

    /// <summary>A gap's judgement with how far it is off: <c>fits</c>, <c>LATE +512</c>.</summary>
    public static string Of(Gap gap) => gap.Verdict switch
    {
        GapVerdict.Fits => "fits",
        GapVerdict.Early => "EARLY" + Off(gap, gap.Windows.IsEmpty ? null : gap.Windows[0].MinMs),
        GapVerdict.Late => "LATE" + Off(gap, gap.Windows.Select(w => (double?)w.MaxMs).LastOrDefault(max => max < gap.ObservedMs)),
        GapVerdict.NoRule => "no rule",
        GapVerdict.NoData => "no data",
        GapVerdict.NotTimed => "not timed",
        _ => "open",
    };

    /// <summary>One character for the lane of verdicts; blank where nothing was timed.</summary>
    public static (char Mark, Role Role) Letter(GapVerdict verdict) => verdict switch
    {
        GapVerdict.Fits => ('=', Role.Fits),
        GapVerdict.Early or GapVerdict.Late => ('!', Role.Alarm),
        GapVerdict.NoRule => ('?', Role.Alarm),
        GapVerdict.NoData => ('x', Role.Lost),
        GapVerdict.Open => ('o', Role.Starvation),
        _ => (' ', Role.Text),
    };

    /// <summary>The rule's code, or nothing.</summary>
    public static string Code(GapRule rule) => rule == GapRule.None ? "" : FormattableString.Invariant($"G{(int)rule}");

    static string Off(Gap gap, double? allowed) =>
        gap.ObservedMs - allowed is { } off ? FormattableString.Invariant($" {off:+0;-0}") : "";
}
