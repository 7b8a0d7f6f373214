namespace Tpwatch.Text;

/// <summary>Formats the fields of an injection delay for lines and tables; <c>?</c> for an unknown value.</summary>
static class DelayFields
{
    const string Unknown = "?";

    /// <summary>Maximum number of gate checks whose times are listed; for more, only the shortest and longest time are given.</summary>
    const int MostReadings = 5;

    /// <summary>Maximum number of earlier gate checks that are explained. If there are more, only the first three and the last.</summary>
    const int ToldChecks = 4;

    /// <summary>Returns the target thread count before and after, <c>11->12</c>, or one value if it did not change.</summary>
    public static string TargetThreads(InjectionDelay delay, string arrow = "->") => delay switch
    {
        { TargetThreadsBefore: null, TargetThreadsAfter: null } => Unknown,
        { Reason: null } when delay.TargetThreadsAfter is null || delay.TargetThreadsAfter == delay.TargetThreadsBefore =>
            Number(delay.TargetThreadsBefore),
        _ => $"{Number(delay.TargetThreadsBefore)}{arrow}{Number(delay.TargetThreadsAfter)}",
    };

    /// <summary>Returns the length of the injection delay: <c>1003ms</c>.</summary>
    public static string Length(InjectionDelay delay) => Words.Known(delay.ObservedMs) is { } ms ? Format.Ms(ms) : Unknown;

    /// <summary>Returns the judgement for lines that programs read: <c>fits G1</c>. These words must not change.</summary>
    public static string Judgement(InjectionDelay delay) => $"{Words.Of(delay.Verdict)} {Words.Code(delay.Mechanism) ?? Unknown}";

    /// <summary>Returns the judgement for people: <c>as expected G1</c>.</summary>
    public static string Judged(InjectionDelay delay) => $"{DelayWords.Plainly(delay)} {Words.Code(delay.Mechanism)}".TrimEnd();

    /// <summary>Returns the processor use as a percentage: <c>6%</c>.</summary>
    public static string Cpu(InjectionDelay delay) => Words.Known(delay.Cpu) is { } cpu ? Format.Percent(cpu) : Unknown;

    /// <summary>Returns the queue length: <c>72</c>.</summary>
    public static string Queue(InjectionDelay delay) => Number(delay.QueueLength);

    /// <summary>Returns which gate check injected the thread, counted from 1, or <c>none</c>; null if no gate check is known.</summary>
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
    /// Returns why earlier gate checks did not inject, as in <c>check 1: 500ms since dequeue, not >500; check 2: …</c>; null if none.
    /// </summary>
    public static string? EarlierChecks(InjectionDelay delay, string word = "check") =>
        Told(delay, Before(delay), word, check => check.Why, "; ", word);

    /// <summary>Returns why earlier gate checks did not inject, without a last check that <c>Because</c> explains; null if none.</summary>
    public static string? UntoldChecks(InjectionDelay delay)
    {
        var count = Before(delay);
        var left = count > 0 && delay.Ticks[count - 1].IsTold ? count - 1 : count;
        return Readings(delay, left) ?? Told(delay, left, "check", check => check.Spoken, ". ", "Check");
    }

    // Returns the times since the last dequeue at the first checks; null without checks, or if a check has another reason not to inject.
    static string? Readings(InjectionDelay delay, int count)
    {
        if (count == 0 || !delay.Ticks.Take(count).All(HasRead))
        {
            return null;
        }

        var checks = delay.Ticks.Take(count).ToArray();
        var what = RestartWord.Of(delay.Ticks[0].IsByDispatch);
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

    public static bool AsksWhy(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.AsExpected => false,
        // "Not judged" next to a known length needs an explanation; without a length, the row shows that the start is not known.
        DelayVerdict.NotTimed => delay is { IsWait: true, ObservedMs: not null },
        _ => true,
    };

    static string Earlier(InjectionDelay delay, int index, Func<GateCheck, string> why)
    {
        var check = delay.Ticks[index];
        return $"{Number(index + 1)}{(check.Sure ? "" : ", not certain")}: {Words.OneLine(why(check))}";
    }

    static int FiredAt(InjectionDelay delay) => Array.FindLastIndex([.. delay.Ticks], check => check.Fired);

    // Digits are not grouped, because programs split the line at spaces.
    static string Number(long? value) => value is { } v ? v.ToString(System.Globalization.CultureInfo.InvariantCulture) : Unknown;

    /// <summary>
    /// Sorts delays by importance for lists that cannot contain all delays: open, unexplained, early or late, other, not timed. Of equally
    /// important delays, the longest is first.
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

/// <summary>Renders the table of the most important injection delays, sorted by time.</summary>
static class InjectionDelayRenderer
{
    /// <summary>Maximum number of rows; the table and the verdict then fit on one screen.</summary>
    public const int MaxRows = 20;

    const int SentenceIndent = 7;

    /// <summary>Returns the lines of the table and below it; none if there was no delay.</summary>
    public static IEnumerable<string> Lines(PoolReport report, TimeStyle time)
    {
        var shown = MostTelling(report);
        var explained = new HashSet<Mechanism>();
        return shown.Count == 0 ? [] :
        [
            .. TextLayout.Wrap($"Injection delays: {DelayWords.Tally(report.Tally)}"),
            Row("#", time == TimeStyle.Utc ? "time (UTC)" : "time (s)", "reason", "target", ["delay", "check", "judgment", "cpu", "queue"]),
            // A delay as expected is explained only in the first row with its rule; any other delay is always explained.
            .. shown.SelectMany(delay => (explained.Add(delay.Mechanism) || DelayFields.AsksWhy(delay) ? Why(delay) : [])
                .Prepend(Row(delay, report, time))),
            .. Foot(report, shown),
        ];
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
        var left = report.InjectionDelays.Length - shown.Count;
        string[] codes = [.. shown.Select(g => g.Mechanism).Distinct().Order().Select(Words.Code).OfType<string>()];
        return new[]
        {
            left > 0 ? $"       {Format.Count(left)} less important rows left out; --format json has every row" : null,
            report.Evicted > 0 ? $"       {Format.Count(report.Evicted)} older delays not listed (discarded to limit memory use); "
                + "the totals include them" : null,
        }.OfType<string>().Concat(codes.Length == 0 ? [] : TextLayout.Wrap(Codes(codes), SentenceIndent));
    }

    static string Codes(string[] codes) => codes.Length == 1
        ? $"To read about {codes[0]}, run dotnet tpwatch rules {codes[0]}."
        : $"To read about {string.Join(", ", codes[..^1])} or {codes[^1]}, run dotnet tpwatch rules CODE.";
}

/// <summary>The mark of an injection delay on the timeline.</summary>
/// <param name="Role">Determines the style of the letter.</param>
/// <param name="Rank">Importance, 0 for the highest. Of several marks in one column, only that with the lowest rank is drawn.</param>
/// <param name="Name">What the mark stands for: the runtime's word for the reason if there is one.</param>
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

    /// <summary>Marks of delays that no thread count adjustment ended.</summary>
    public static IReadOnlyList<DelayMark> WithoutReason { get; } = [NoRule, Open, Undetected, Ceiling, Wait];

    /// <summary>Whether the delay has a mark. A thread created on demand (G0) has none, because no item waited for an adjustment.</summary>
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

    /// <summary>Returns the character for the judgement on a delay; a blank if the rule determines no time.</summary>
    public static char OfVerdict(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.AsExpected => '=',
        DelayVerdict.Early or DelayVerdict.Late => '!',
        DelayVerdict.NoRule => '?',
        DelayVerdict.NoData => 'x',
        DelayVerdict.Open => 'o',
        _ => ' ',
    };

    /// <summary>Whether the pool added worker threads. The keys <c>[</c> and <c>]</c> go to such delays.</summary>
    public static bool IsInjection(InjectionDelay delay) => delay.Reason switch
    {
        AdjustmentReason.Starvation => !(delay.TargetThreadsAfter <= delay.TargetThreadsBefore),
        // If the earlier target thread count is unknown, the adjustment may have lowered the count, so it does not count as an injection.
        AdjustmentReason.CooperativeBlocking => delay.TargetThreadsAfter > delay.TargetThreadsBefore,
        _ => false,
    };

    /// <summary>Returns the mark of a reason, or a question mark for a reason that this version does not know.</summary>
    public static DelayMark OfReason(AdjustmentReason reason) => Reasons.FirstOrDefault(r => r.Reason == reason).Mark ?? NoRule;
}

/// <summary>Computes the length of the time axis in the drawing of one injection delay.</summary>
static class DelayScale
{
    /// <summary>The axis extends to allowed times up to this multiple of the observed delay.</summary>
    const double Beyond = 1.15;

    /// <summary>
    /// Returns the length, milliseconds: the observed delay, or a later end of an allowed time, up to <see cref="Beyond"/> times the delay.
    /// For an open delay, all allowed times count.
    /// </summary>
    public static double WholeMs(InjectionDelay delay, double observedMs)
    {
        var allowed = delay.Windows.Select(w => w.MaxMs).Where(double.IsFinite);
        return Math.Max(
            1, (delay.Verdict == DelayVerdict.Open ? allowed : allowed.Where(max => max <= observedMs * Beyond)).Append(observedMs).Max());
    }
}

/// <summary>The meaning of a cell on the screen. The theme defines its style. Without colour, a letter or shape shows it.</summary>
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
