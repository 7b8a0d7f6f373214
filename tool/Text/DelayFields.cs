namespace Tpwatch.Text;

/// <summary>The fields of an injection delay as text, for lines and tables alike; an unknown value is <c>?</c>.</summary>
static class DelayFields
{
    const string Unknown = "?";

    /// <summary>Most readings of gate checks listed one by one; of more only the shortest and the longest are given.</summary>
    const int MostReadings = 5;

    /// <summary>Most gate checks listed before the injecting check; of more the first three and the last.</summary>
    const int ToldChecks = 4;

    /// <summary>Target thread count: <c>11->12</c>, or the one known value if no adjustment belongs to the wait.</summary>
    public static string TargetThreads(InjectionDelay delay, string arrow = "->") => delay switch
    {
        { TargetThreadsBefore: null, TargetThreadsAfter: null } => Unknown,
        { Reason: null } when delay.TargetThreadsAfter is null || delay.TargetThreadsAfter == delay.TargetThreadsBefore =>
            Number(delay.TargetThreadsBefore),
        _ => $"{Number(delay.TargetThreadsBefore)}{arrow}{Number(delay.TargetThreadsAfter)}",
    };

    /// <summary>The injection delay: <c>1003ms</c>.</summary>
    public static string Length(InjectionDelay delay) => Words.Known(delay.ObservedMs) is { } ms ? Format.Ms(ms) : Unknown;

    /// <summary>The judgement in the words of plain lines, which are a contract: <c>fits G1</c>.</summary>
    public static string Judgement(InjectionDelay delay) => $"{Words.Of(delay.Verdict)} {Words.Code(delay.Mechanism) ?? Unknown}";

    /// <summary>The judgement for people: <c>as expected G1</c>.</summary>
    public static string Judged(InjectionDelay delay) => $"{DelayWords.Plainly(delay)} {Words.Code(delay.Mechanism)}".TrimEnd();

    /// <summary>Processor use: <c>6%</c>.</summary>
    public static string Cpu(InjectionDelay delay) => Words.Known(delay.Cpu) is { } cpu ? Format.Percent(cpu) : Unknown;

    /// <summary>Queue length: <c>72</c>.</summary>
    public static string Queue(InjectionDelay delay) => Number(delay.QueueLength);

    /// <summary>The gate check that injected, counted from 1: <c>2</c>, <c>none</c>, or null if no gate check is known.</summary>
    public static string? Tick(InjectionDelay delay)
    {
        if (delay.Ticks.IsEmpty)
        {
            return null;
        }

        var fired = FiredAt(delay);
        return fired < 0 ? "none" : Number(fired + 1);
    }

    /// <summary>
    /// Why the gate checks before it did not inject: <c>check 1: 500ms since dequeue, not >500; check 2: …</c>; null if there was none.
    /// </summary>
    public static string? EarlierChecks(InjectionDelay delay, string word = "check") =>
        Told(delay, Before(delay), word, check => check.Why, "; ", word);

    /// <summary>Why the earlier gate checks did not inject, without the last one if the delay's own sentence already explains it.</summary>
    public static string? UntoldChecks(InjectionDelay delay)
    {
        var count = Before(delay);
        var left = count > 0 && delay.Ticks[count - 1].IsTold ? count - 1 : count;
        return Readings(delay, left) ?? Told(delay, left, "check", check => check.Spoken, ". ", "Check");
    }

    // Checks differ only in the time that each of them read; the limit is in the delay's own sentence.
    static string? Readings(InjectionDelay delay, int count)
    {
        if (count == 0 || !delay.Ticks.Take(count).All(HasRead))
        {
            return null;
        }

        var checks = delay.Ticks.Take(count).ToArray();
        var what = delay.Ticks[0].IsByDispatch ? "dispatch" : "dequeue";
        return $"time since the last {what} at {(count == 1 ? "the first check" : $"the first {Number(count)} checks")}: "
            + (count > MostReadings ? Spread(checks) : OneByOne([.. checks.Select(t => Read(t.SinceDequeueMs))]));
    }

    static string OneByOne(string[] read) => read.Length == 1 ? read[0] : $"{string.Join(", ", read[..^1])} and {read[^1]}";

    static string Spread(GateCheck[] checks)
    {
        var (least, most) = (Read(checks.Min(t => t.SinceDequeueMs)), Read(checks.Max(t => t.SinceDequeueMs)));
        return least == most ? least : $"{least} to {most}";
    }

    static string Read(double? ms) => string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{ms:0} ms");

    static bool HasRead(GateCheck check) => check.IsReading && Words.Known(check.SinceDequeueMs) is not null;

    static int Before(InjectionDelay delay) => FiredAt(delay) is >= 0 and var fired ? fired : delay.Ticks.Length;

    static string? Told(InjectionDelay delay, int count, string word, Func<GateCheck, string> why, string stop, string next)
    {
        var told = Enumerable.Range(0, count).Where(i => count <= ToldChecks || i < ToldChecks - 1 || i == count - 1).ToList();
        var parts = told.Select(i => Earlier(delay, i, why)).ToList();
        if (told.Count < count)
        {
            parts[ToldChecks - 2] += $"{stop}{Format.Plural(count - told.Count, $"more {word}")}";
        }

        return parts.Count == 0 ? null : $"{word} {string.Join($"{stop}{next} ", parts)}";
    }

    /// <summary>Whether the judgement needs an explanation, so that a line should include the sentence.</summary>
    public static bool AsksWhy(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.AsExpected => false,
        // If the start is not known, the row shows that itself; a time next to "not judged" needs the reason.
        DelayVerdict.NotTimed => delay is { IsWait: true, ObservedMs: not null },
        _ => true,
    };

    static string Earlier(InjectionDelay delay, int index, Func<GateCheck, string> why)
    {
        var check = delay.Ticks[index];
        return $"{Number(index + 1)}{(check.Sure ? "" : ", not certain")}: {Words.OneLine(why(check))}";
    }

    static int FiredAt(InjectionDelay delay)
    {
        for (var i = delay.Ticks.Length - 1; i >= 0; i--)
        {
            if (delay.Ticks[i].Fired)
            {
                return i;
            }
        }

        return -1;
    }

    // Programs split the line at spaces, so digits are not grouped.
    static string Number(long? value) => value is { } v ? v.ToString(System.Globalization.CultureInfo.InvariantCulture) : Unknown;

    /// <summary>
    /// The order in which delays are kept if there is no room for all: open, unexplained, early or late, other, not timed; within each rank
    /// the longest first.
    /// </summary>
    public static IEnumerable<InjectionDelay> MostTellingFirst(IEnumerable<InjectionDelay> delays) =>
        delays.OrderBy(Rank).ThenByDescending(g => g.ObservedMs ?? 0).ThenBy(g => g.Number);

    static int Rank(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.Open => 0,
        DelayVerdict.NoRule => 1,
        DelayVerdict.Early or DelayVerdict.Late => 2,
        DelayVerdict.NotTimed => 4,
        _ => 3,
    };
}
