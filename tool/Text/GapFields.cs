using Tpwatch.Ledger;

namespace Tpwatch.Text;

/// <summary>The parts of a gap as text, the same in a line and in a table; unknown is <c>?</c>.</summary>
static class GapFields
{
    const string Unknown = "?";

    /// <summary>Readings of checks that are told one by one; of more the shortest and the longest.</summary>
    const int MostReadings = 5;

    /// <summary>Ticks before the one that injected which are told one by one; of more only the first and the last.</summary>
    const int ToldTicks = 4;

    /// <summary><c>11->12</c>, or the one known goal where no adjustment belongs to the wait.</summary>
    public static string Goal(Gap gap) => gap switch
    {
        { GoalBefore: null, GoalAfter: null } => Unknown,
        { Reason: null } when gap.GoalAfter is null || gap.GoalAfter == gap.GoalBefore => Number(gap.GoalBefore),
        _ => $"{Number(gap.GoalBefore)}->{Number(gap.GoalAfter)}",
    };

    /// <summary><c>1003ms</c>.</summary>
    public static string Length(Gap gap) => Words.Known(gap.ObservedMs) is { } ms ? Format.Ms(ms) : Unknown;

    /// <summary><c>fits G1</c>, the words of the lines.</summary>
    public static string Judgement(Gap gap) => $"{Words.Of(gap.Verdict)} {Words.Code(gap.Mechanism) ?? Unknown}";

    /// <summary>The same for people: <c>as expected G1</c>.</summary>
    public static string Judged(Gap gap) => $"{VerdictWords.Plainly(gap)} {Words.Code(gap.Mechanism)}".TrimEnd();

    /// <summary><c>6%</c>.</summary>
    public static string Cpu(Gap gap) => Words.Known(gap.Cpu) is { } cpu ? Format.Percent(cpu) : Unknown;

    /// <summary><c>72</c>.</summary>
    public static string Queue(Gap gap) => Number(gap.Backlog);

    /// <summary>Which tick injected: <c>2</c>, <c>none</c>, or null where no tick is known.</summary>
    public static string? Tick(Gap gap)
    {
        if (gap.Ticks.IsEmpty)
        {
            return null;
        }

        var fired = FiredAt(gap);
        return fired < 0 ? "none" : Number(fired + 1);
    }

    /// <summary>
    /// Why the ticks before did not: <c>check 1: 500ms since dequeue, not >500; check 2: …</c>; null where there is nothing to tell.
    /// </summary>
    public static string? EarlierTicks(Gap gap, string word = "check") => Told(gap, Before(gap), word, why => why, "; ", word);

    /// <summary>The same without the last one where the gap's own sentence tells it.</summary>
    public static string? UntoldTicks(Gap gap)
    {
        var count = Before(gap);
        var told = count > 0 && gap.Because.Contains(TickSentence.Spoken(gap.Ticks[count - 1].Why), StringComparison.Ordinal);
        var left = told ? count - 1 : count;
        return Readings(gap, left) ?? Told(gap, left, "check", TickSentence.Spoken, ". ", "Check");
    }

    // What differs between checks is the time that each of them read; the limit is in the gap's own sentence.
    static string? Readings(Gap gap, int count)
    {
        if (count == 0 || !gap.Ticks.Take(count).All(HasRead))
        {
            return null;
        }

        var checks = gap.Ticks.Take(count).ToArray();
        var what = gap.Ticks[0].IsByDispatch ? "dispatch" : "dequeue";
        return $"time since the last {what} at {(count == 1 ? "the first check" : $"the first {Number(count)} checks")}: "
            + (count > MostReadings ? Spread(checks) : OneByOne([.. checks.Select(t => Read(t.SinceDequeueMs) + Doubt(!t.Sure, ""))]));
    }

    static string OneByOne(string[] read) => read.Length == 1 ? read[0] : $"{string.Join(", ", read[..^1])} and {read[^1]}";

    static string Spread(GateTick[] checks)
    {
        var (least, most) = (Read(checks.Min(t => t.SinceDequeueMs)), Read(checks.Max(t => t.SinceDequeueMs)));
        return (least == most ? least : $"{least} to {most}") + Doubt(checks.Any(t => !t.Sure), checks.All(t => !t.Sure) ? "" : "some ");
    }

    static string Read(double? ms) => string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{ms:0} ms");

    static string Doubt(bool any, string some) => any ? $" ({some}not certain)" : "";

    static bool HasRead(GateTick tick) => tick.SinceDequeueMs is { } ms && double.IsFinite(ms) && TickSentence.IsReading(tick.Why);

    static int Before(Gap gap) => FiredAt(gap) is >= 0 and var fired ? fired : gap.Ticks.Length;

    static string? Told(Gap gap, int count, string word, Func<string, string> why, string stop, string next)
    {
        var told = Enumerable.Range(0, count).Where(i => count <= ToldTicks || i < ToldTicks - 1 || i == count - 1).ToList();
        var parts = told.Select(i => Earlier(gap, i, why)).ToList();
        if (told.Count < count)
        {
            parts[ToldTicks - 2] += $"{stop}{Format.Plural(count - told.Count, $"more {word}")}";
        }

        return parts.Count == 0 ? null : $"{word} {string.Join($"{stop}{next} ", parts)}";
    }

    /// <summary>Whether a reader will ask why, so that a line should carry the sentence.</summary>
    public static bool AsksWhy(Gap gap) => gap.Verdict switch
    {
        GapVerdict.Fits => false,
        // Where the start is not known the row says so itself; a time beside "not judged" asks for the reason.
        GapVerdict.NotTimed => gap is { IsWait: true, ObservedMs: not null },
        _ => true,
    };

    static string Earlier(Gap gap, int index, Func<string, string> why)
    {
        var tick = gap.Ticks[index];
        return $"{Number(index + 1)}{(tick.Sure ? "" : ", not certain")}: {why(Words.OneLine(tick.Why))}";
    }

    static int FiredAt(Gap gap)
    {
        for (var i = gap.Ticks.Length - 1; i >= 0; i--)
        {
            if (gap.Ticks[i].Fired)
            {
                return i;
            }
        }

        return -1;
    }

    // A field of a line that programs split at spaces: no grouping.
    static string Number(long? value) => value is { } v ? v.ToString(System.Globalization.CultureInfo.InvariantCulture) : Unknown;

    /// <summary>
    /// Where there is no room for all: what still lasts, what no rule explains, what came at the wrong moment; then the longest.
    /// </summary>
    public static IEnumerable<Gap> MostTellingFirst(IEnumerable<Gap> gaps) =>
        gaps.OrderBy(Rank).ThenByDescending(g => g.ObservedMs ?? 0).ThenBy(g => g.Number);

    static int Rank(Gap gap) => gap.Verdict switch
    {
        GapVerdict.Open => 0,
        GapVerdict.NoRule => 1,
        GapVerdict.Early or GapVerdict.Late => 2,
        GapVerdict.NotTimed => 4,
        _ => 3,
    };
}
