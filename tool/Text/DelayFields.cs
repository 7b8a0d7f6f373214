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

/// <summary>
/// The report's table of injection delays: the most important ones (not as expected first, then the longest) in order of time.
/// </summary>
static class DelayTableRenderer
{
    /// <summary>Most rows of the table: it fits on a screen together with the verdict.</summary>
    public const int MaxRows = 20;

    const int SentenceIndent = 7;

    /// <summary>The lines of the section; none if there was no delay.</summary>
    public static IEnumerable<string> Lines(PoolReport report, TimeStyle time)
    {
        var shown = MostTelling(report);
        if (shown.Count == 0)
        {
            yield break;
        }

        foreach (var line in TextLayout.Wrap($"Injection delays: {DelayWords.Tally(report.Tally)}"))
        {
            yield return line;
        }

        yield return Row(
            "#", time == TimeStyle.Utc ? "time (UTC)" : "time (s)", "reason", "target", ["delay", "check", "judgment", "cpu", "queue"]);
        var explained = new HashSet<Mechanism>();
        foreach (var delay in shown)
        {
            yield return Row(delay, report, time);
            // A delay as expected is explained once per rule, any other each time.
            foreach (var line in explained.Add(delay.Mechanism) || DelayFields.AsksWhy(delay) ? Why(delay) : [])
            {
                yield return line;
            }
        }

        foreach (var line in Foot(report, shown))
        {
            yield return line;
        }
    }

    static List<InjectionDelay> MostTelling(PoolReport report) =>
        DelayFields.MostTellingFirst(report.InjectionDelays).Take(MaxRows).OrderBy(g => g.End).ThenBy(g => g.Number).ToList();

    static string Row(InjectionDelay delay, PoolReport report, TimeStyle time) =>
        Row(delay.Number.ToString(CultureInfo.InvariantCulture),
            time.Clock(report.Timeline, delay.End), DelayWords.EndedBy(delay), DelayFields.TargetThreads(delay),
            [DelayFields.Length(delay), DelayFields.Tick(delay)
                ?? "", DelayFields.Judged(delay), DelayFields.Cpu(delay), DelayFields.Queue(delay)]);

    static string Row(string number, string at, string what, string targetThreads, string[] rest) =>
        $"{number,5}  {at,-12}  {what,-19}  {targetThreads,-12} {rest[0],8}  {rest[1],-5}  {rest[2],-14} {rest[3],4}  {rest[4],6}"
            .TrimEnd();

    static IEnumerable<string> Why(InjectionDelay delay)
    {
        var checks = DelayFields.UntoldChecks(delay) is { } earlier ? " " + Sentence.Of(earlier) : "";
        var sentence = Words.OneLine(delay.Because) + checks;
        return sentence.Length == 0 ? [] : TextLayout.Wrap(sentence, SentenceIndent);
    }

    static IEnumerable<string> Foot(PoolReport report, List<InjectionDelay> shown)
    {
        if (report.InjectionDelays.Length > shown.Count)
        {
            yield return $"       {Format.Count(report.InjectionDelays.Length - shown.Count)} less important rows left out; "
                + "--format json has every row";
        }

        if (report.Evicted > 0)
        {
            yield return $"       {Format.Count(report.Evicted)} older delays not listed (discarded to limit memory use); "
                + "the totals include them";
        }

        string[] codes = [.. shown.Select(g => g.Mechanism).Distinct().Order().Select(Words.Code).OfType<string>()];
        foreach (var line in codes.Length == 0 ? [] : TextLayout.Wrap(Codes(codes), SentenceIndent))
        {
            yield return line;
        }
    }

    static string Codes(string[] codes) => codes.Length == 1
        ? $"To read about {codes[0]}, run dotnet tpwatch rules {codes[0]}."
        : $"To read about {string.Join(", ", codes[..^1])} or {codes[^1]}, run dotnet tpwatch rules CODE.";
}

/// <summary>How an injection delay looks on the timeline: its letter, its role, and its rank if several fall into one column.</summary>
/// <param name="Letter">The letter; colour only repeats it.</param>
/// <param name="Role">The role that the theme styles.</param>
/// <param name="Rank">The mark with the smallest rank is drawn.</param>
/// <param name="Name">The reason, in the runtime's words if it has any.</param>
sealed record DelayMark(char Letter, Role Role, int Rank, string Name)
{
    static readonly DelayMark NoRule = new('?', Role.Alarm, 0, "unexplained");
    static readonly DelayMark Open = new('o', Role.Starvation, 3, "in progress");
    static readonly DelayMark Ceiling = new('m', Role.Starvation, 2, "at MaxThreads");
    static readonly DelayMark Undetected = new('~', Role.Starvation, 2, "not detected");
    static readonly DelayMark Wait = new('+', Role.Housekeeping, 7, "wait, no injection");

    /// <summary>One mark for each reason of the runtime, in the order of the legend.</summary>
    public static IReadOnlyList<(AdjustmentReason Reason, DelayMark Mark)> Reasons { get; } =
    [
        (AdjustmentReason.Starvation, new('S', Role.Starvation, 1, nameof(AdjustmentReason.Starvation))),
        (AdjustmentReason.CooperativeBlocking, new('B', Role.Blocking, 4, nameof(AdjustmentReason.CooperativeBlocking))),
        (AdjustmentReason.ThreadTimedOut, new('T', Role.Housekeeping, 5, nameof(AdjustmentReason.ThreadTimedOut))),
        (AdjustmentReason.ClimbingMove, new('C', Role.Climbing, 6, nameof(AdjustmentReason.ClimbingMove))),
        (AdjustmentReason.RandomMove, new('R', Role.Climbing, 6, nameof(AdjustmentReason.RandomMove))),
        (AdjustmentReason.ChangePoint, new('P', Role.Climbing, 6, nameof(AdjustmentReason.ChangePoint))),
        (AdjustmentReason.Stabilizing, new('Z', Role.Climbing, 6, nameof(AdjustmentReason.Stabilizing))),
        (AdjustmentReason.Initializing, new('I', Role.Housekeeping, 7, nameof(AdjustmentReason.Initializing))),
        (AdjustmentReason.Warmup, new('W', Role.Housekeeping, 7, nameof(AdjustmentReason.Warmup))),
    ];

    /// <summary>Marks of waits that no adjustment ended.</summary>
    public static IReadOnlyList<DelayMark> WithoutReason { get; } = [NoRule, Open, Undetected, Ceiling, Wait];

    /// <summary>Whether the delay is drawn; a ramp below the target thread count is neither an adjustment nor a delay.</summary>
    public static bool HasMark(InjectionDelay delay) => delay.Reason is not null || delay.Mechanism != Mechanism.G0Ramp;

    public static DelayMark Of(InjectionDelay delay) => delay switch
    {
        { Reason: { } reason } => OfReason(reason),
        { Mechanism: Mechanism.G3Undetected } => Undetected,
        { Mechanism: Mechanism.G8Ceiling } => Ceiling,
        { Mechanism: Mechanism.G9DetectorOff or Mechanism.G14Wedged } => Undetected,
        { Verdict: DelayVerdict.Open } => Open,
        { Verdict: DelayVerdict.NoRule } => NoRule,
        _ => Wait,
    };

    /// <summary>
    /// Whether the pool added worker threads; withdrawn blocking compensation does not count. <c>[</c> and <c>]</c> step through these.
    /// </summary>
    public static bool IsInjection(InjectionDelay delay) => delay.Reason switch
    {
        AdjustmentReason.Starvation => !(delay.TargetThreadsAfter <= delay.TargetThreadsBefore),
        // The first one seen may be a rise or a withdrawal, so a rise must be known.
        AdjustmentReason.CooperativeBlocking => delay.TargetThreadsAfter > delay.TargetThreadsBefore,
        _ => false,
    };

    /// <summary>The mark of a reason; a question mark for a reason that this version does not know.</summary>
    public static DelayMark OfReason(AdjustmentReason reason) => Reasons.FirstOrDefault(r => r.Reason == reason).Mark ?? NoRule;
}

/// <summary>The time axis in the drawing of an injection delay, on the screen and on the HTML page alike.</summary>
static class DelayScale
{
    /// <summary>Allowed moments later than this multiple of the observed delay are not drawn.</summary>
    const double Beyond = 1.15;

    /// <summary>
    /// Milliseconds from the last progress to the end of the delay or to the last allowed moment drawn. For an open delay every allowed
    /// moment is drawn.
    /// </summary>
    public static double WholeMs(InjectionDelay delay, double observedMs)
    {
        var allowed = delay.Windows.Select(w => w.MaxMs).Where(double.IsFinite);
        return Math.Max(
            1, (delay.Verdict == DelayVerdict.Open ? allowed : allowed.Where(max => max <= observedMs * Beyond)).Append(observedMs).Max());
    }
}

/// <summary>The meaning of a cell, which the theme styles. Letter or shape shows the meaning too, so colour is never needed.</summary>
enum Role
{
    Text,
    Faint,
    Title,
    Starvation,
    Blocking,
    Climbing,
    Housekeeping,
    Threads,
    TargetThreads,
    Min,
    Queue,
    Cpu,
    Done,
    AsExpected,
    Alarm,
    Lost,
    Selection,
    KeyName,
}
