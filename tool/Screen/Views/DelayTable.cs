using Tpwatch.Screen.Drawing;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>The columns of the table of events (injection delays and adjustments), one row per event.</summary>
static class DelayTable
{
    public static string TargetThreads(InjectionDelay delay) => delay.TargetThreadsBefore is null && delay.TargetThreadsAfter is null ? ""
        : delay.TargetThreadsBefore == delay.TargetThreadsAfter ? LevelTexts.Count(delay.TargetThreadsAfter)
        : $"{LevelTexts.Count(delay.TargetThreadsBefore)}->{LevelTexts.Count(delay.TargetThreadsAfter)}";

    public static Role LookOf(InjectionDelay delay) =>
        delay.Verdict is DelayVerdict.Early or DelayVerdict.Late or DelayVerdict.NoRule ? Role.Starvation
        : delay.Verdict == DelayVerdict.NoData ? Role.Lost : Role.Text;

    public static IEnumerable<TableColumn<InjectionDelay>> Columns(Scene scene) =>
    [
        new("#", 4, 10, g => Format.Brief(g.Number)) { Right = true, Rank = g => g.Number },
        new("time", 8, 9, g => scene.Time(g.End)) { Right = true, Rank = g => g.End.MsSince(scene.Timeline.Start) },
        new("reason", 14, 8, g => $"{DelayMark.Of(g).Letter} {DelayMark.Of(g).Name}") { Role = g => DelayMark.Of(g).Role },
        new("target", 6, 5, TargetThreads) { Right = true, Rank = g => g.TargetThreadsAfter ?? double.NaN },
        new("delay ms", 8, 7, g => g.ObservedMs is { } ms ? Format.Count((long)Math.Round(ms)) : Unknown(g))
        {
            Right = true, Rank = g => g.ObservedMs ?? double.NaN,
        },
        new("allowed [hit] ms", 16, 0, Allowed),
        new("judgment", 11, 6, DelayWords.Of) { Role = LookOf },
        new("queue", 5, 4, g => g.QueueLength is { } queue ? Format.Brief(queue) : Unknown(g))
        {
            Right = true, Rank = g => g.QueueLength ?? double.NaN,
        },
        new("cpu", 4, 3, g => g.Cpu is { } cpu && double.IsFinite(cpu) ? Format.Percent(cpu) : Unknown(g))
        {
            Right = true, Rank = g => g.Cpu ?? double.NaN,
        },
        new("rule", 4, 2, g => Words.CodeOrNothing(g.Mechanism)),
        new("", 15, -1, g => DelayWords.Rule(g.Mechanism)),
    ];

    // An adjustment that ended no delay has no such value, so the cell is empty instead of unknown.
    static string Unknown(InjectionDelay delay) => delay.Verdict == DelayVerdict.NotTimed ? "" : "?";

    // Lists the allowed moments; brackets mark a moment that the delay hit.
    static string Allowed(InjectionDelay delay)
    {
        var windows = delay.Windows.Select(w => (Text: FormattableString.Invariant($"{(w.MinMs + w.MaxMs) / 2:0}"),
            Hit: delay.ObservedMs is { } ms && ms >= w.MinMs && ms <= w.MaxMs)).ToList();
        return string.Join(' ', windows.Select(w => w.Hit ? $"[{w.Text}]" : w.Text));
    }
}
