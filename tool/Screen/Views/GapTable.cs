using Tpwatch.Screen.Drawing;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>The columns of the table of events (injection delays and adjustments), one row per event.</summary>
static class GapTable
{
    public static string Goal(Gap gap) => gap.GoalBefore is null && gap.GoalAfter is null ? ""
        : gap.GoalBefore == gap.GoalAfter ? LevelTexts.Count(gap.GoalAfter)
        : $"{LevelTexts.Count(gap.GoalBefore)}->{LevelTexts.Count(gap.GoalAfter)}";

    public static Role LookOf(Gap gap) => gap.Verdict is GapVerdict.Early or GapVerdict.Late or GapVerdict.NoRule ? Role.Starvation
        : gap.Verdict == GapVerdict.NoData ? Role.Lost : Role.Text;

    public static IEnumerable<TableColumn<Gap>> Columns(Scene scene) =>
    [
        new("#", 4, 10, g => Format.Brief(g.Number)) { Right = true, Rank = g => g.Number },
        new("time", 8, 9, g => scene.Time(g.End)) { Right = true, Rank = g => g.End.MsSince(scene.Timeline.Start) },
        new("reason", 14, 8, g => $"{GapMark.Of(g).Letter} {GapMark.Of(g).Name}") { Role = g => GapMark.Of(g).Role },
        new("target", 6, 5, Goal) { Right = true, Rank = g => g.GoalAfter ?? double.NaN },
        new("delay ms", 8, 7, g => g.ObservedMs is { } ms ? Format.Count((long)Math.Round(ms)) : Unknown(g))
        {
            Right = true, Rank = g => g.ObservedMs ?? double.NaN,
        },
        new("allowed [hit] ms", 16, 0, Allowed),
        new("judgment", 11, 6, VerdictWords.Of) { Role = LookOf },
        new("queue", 5, 4, g => g.Backlog is { } queue ? Format.Brief(queue) : Unknown(g))
        {
            Right = true, Rank = g => g.Backlog ?? double.NaN,
        },
        new("cpu", 4, 3, g => g.Cpu is { } cpu && double.IsFinite(cpu) ? Format.Percent(cpu) : Unknown(g))
        {
            Right = true, Rank = g => g.Cpu ?? double.NaN,
        },
        new("rule", 4, 2, g => Words.CodeOrNothing(g.Mechanism)),
        new("", 15, -1, g => RuleNames.Of(g.Mechanism)),
    ];

    // For an adjustment that ended no delay these values do not exist, so they are not unknown.
    static string Unknown(Gap gap) => gap.Verdict == GapVerdict.NotTimed ? "" : "?";

    // The allowed moments; brackets mark the one that the delay hit.
    static string Allowed(Gap gap)
    {
        var windows = gap.Windows.Select(w => (Text: FormattableString.Invariant($"{(w.MinMs + w.MaxMs) / 2:0}"),
            Hit: gap.ObservedMs is { } ms && ms >= w.MinMs && ms <= w.MaxMs)).ToList();
        return string.Join(' ', windows.Select(w => w.Hit ? $"[{w.Text}]" : w.Text));
    }
}
