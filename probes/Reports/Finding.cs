namespace Tpwatch.Reports;

/// <summary>How serious a finding is.</summary>
public enum Severity
{
    /// <summary>Worth knowing.</summary>
    Note,

    /// <summary>Worth acting on.</summary>
    Warning,

    /// <summary>Act now.</summary>
    Serious,
}

/// <summary>How certain a finding is.</summary>
public enum Confidence
{
    /// <summary>A guess, with reasons.</summary>
    Low,

    /// <summary>Likely.</summary>
    Medium,

    /// <summary>Follows from the observations.</summary>
    High,
}

/// <summary>A number that supports a finding.</summary>
public sealed record Evidence(string Text, double? Value, string? Unit, string Source)
{
    /// <summary>Whether the value continues the text without a colon, as in <c>An item waited at least 4.0 s</c>.</summary>
    internal bool GoesOn { get; init; }

    /// <summary>Whether the value is an estimate; the text then says so.</summary>
    internal bool IsEstimate { get; init; }

    /// <summary>The separator between the text and its value: <c>Longest queue: 22 items</c>.</summary>
    internal string Joint => GoesOn ? " " : ": ";

    /// <summary>Number of decimals that gives a number of this size four significant digits.</summary>
    static int Digits(double value) => Math.Abs(value) switch { >= 1000 => 0, >= 100 => 1, >= 10 => 2, _ => 3 };

    /// <summary>The number, rounded to four significant digits; further digits carry no information.</summary>
    public double? Value { get; } = Value is { } value ? Math.Round(value, Digits(value)) : null;
}

/// <summary>The kind of action that a remedy proposes.</summary>
public enum RemedyKind
{
    /// <summary>A change of the code or of its environment, or a further observation.</summary>
    Change,

    /// <summary>A setting that fixes the cause.</summary>
    Setting,

    /// <summary>A setting that helps until the cause is fixed.</summary>
    Workaround,

    /// <summary>No action: the text explains why more threads do not help.</summary>
    Refusal,
}

/// <summary>The last part of a text: how to get missing data, by a command or by a key of the screen. Empty if unknown.</summary>
sealed record MissingDataHint(string Command, string Key)
{
    public static MissingDataHint None { get; } = new("", "");

    /// <summary>Returns a hint whose two texts have these words before and after them.</summary>
    public MissingDataHint In(string before, string after = "") => new(before + Command + after, before + Key + after);

    /// <summary>Returns the text that names a key of the screen, or the text that names a command.</summary>
    public string Words(bool byKey) => byKey ? Key : Command;

    /// <summary>Returns <paramref name="text"/> without <see cref="Command"/> at its end.</summary>
    public string Before(string text) => text[..^Command.Length];
}

/// <summary>A proposed action; <paramref name="Setting"/> is the exact spelling of the setting, or null if the action sets none.</summary>
public sealed record Remedy(string Text, string? Setting = null)
{
    /// <summary>Creates a remedy whose text ends with the way to get missing data.</summary>
    internal Remedy(string text, MissingDataHint how) : this(text + how.Command) => How = how;

    /// <summary>Creates a workaround from a condition (empty for none), an action, further text, and the setting.</summary>
    internal static Remedy Workaround(string condition, string what, string after, string setting)
    {
        var text = condition.Length > 0 ? $"{condition}: {what}{after}" : what + after;
        return new($"Workaround{(condition.Length > 0 ? ", " : ": ")}{text}", setting)
        {
            Kind = RemedyKind.Workaround, After = after, Unlabelled = char.ToUpperInvariant(text[0]) + text[1..],
        };
    }

    /// <summary>Creates a remedy without an action: it says what not to do, and why.</summary>
    internal static Remedy Refusal(string what) => new($"Do not {what}") { Kind = RemedyKind.Refusal, Unlabelled = what };

    /// <summary>The last part of the text, which says how to get missing data.</summary>
    internal MissingDataHint How { get; init; } = MissingDataHint.None;

    /// <summary>The text for the screen, which names keys instead of commands.</summary>
    internal string ByKey => How.Before(Text) + How.Key;

    /// <summary>The part of the text after its first sentence; the setting is shown before this part.</summary>
    internal string After { get; init; } = "";

    /// <summary>The text without the words that name the kind, for display after a label; null if the text has no such words.</summary>
    internal string? Unlabelled { get; init; }

    /// <summary>Whether the setting is to be removed.</summary>
    internal bool Removes { get; init; }

    /// <summary>The kind of action.</summary>
    public RemedyKind Kind { get; init; } = Setting is null ? RemedyKind.Change : RemedyKind.Setting;

    /// <summary>Whether the remedy proposes a larger MinThreads that may not help, because the blocking call is not known.</summary>
    internal bool IsDoubtedMin { get; init; }
}

/// <summary>
/// The kinds of causes that findings name, from a mere effect to the most specific cause. The general remedies for starvation do not help a
/// pool that is wedged, in a deadlock or without starvation detection.
/// </summary>
enum CauseKind
{
    /// <summary>No cause: the finding describes the effect.</summary>
    Effect,

    /// <summary>The cause is not the pool: requests wait for something that holds no worker thread.</summary>
    Elsewhere,

    /// <summary>Items are dequeued too often for starvation detection to trigger.</summary>
    DetectorNotTriggered,

    /// <summary>There is only one processor, and therefore one worker thread.</summary>
    OneProcessor,

    /// <summary>Worker threads block in calls that the pool cannot detect.</summary>
    HiddenBlocking,

    TaskWaits,

    /// <summary>Some worker threads wait for tasks, others block in calls that the pool cannot detect.</summary>
    BothBlockings,

    /// <summary>Memory use is high, so the pool adds no threads for task waits.</summary>
    HighMemory,

    AtMax,

    NoProcessor,

    /// <summary>No item completes: a deadlock, or one slow dependency.</summary>
    NothingEnds,

    /// <summary>Worker threads hang, and no item is queued.</summary>
    Held,

    /// <summary>The pool itself does not dequeue the queued items.</summary>
    Wedged,

    DetectorOff,

    /// <summary>Threads wait for each other's locks.</summary>
    Deadlock,
}

/// <summary>The cause that a finding names, as a kind and in words.</summary>
/// <param name="Kind">The kind of cause.</param>
/// <param name="Words">The cause in a few words; null if the words for the verdict are used instead.</param>
sealed record FindingCause(CauseKind Kind, string? Words)
{
    /// <summary>The default, for a finding whose cause was not evaluated.</summary>
    public static readonly FindingCause None = new(CauseKind.Effect, null);

    /// <summary>Whether the finding is about held worker threads. All such findings have one cause, so one fix resolves them.</summary>
    public bool OfHeldThreads { get; init; }
}

/// <summary>A problem: the evidence, its cause, and the remedies.</summary>
public sealed record Finding(
    string Id, string Title, Severity Severity, Confidence Confidence, EventTime From, EventTime To, string Headline,
    ImmutableArray<Evidence> Evidence, ImmutableArray<Remedy> Remedies)
{
    /// <summary>The cause that the finding names. The cause determines the headline, and the order of the findings.</summary>
    internal FindingCause Cause { get; init; } = FindingCause.None;
}

/// <summary>The computed effect of other settings if the same items arrive, in words: change, effect, data used, reliability.</summary>
public sealed record WhatIfEffect(string Change, string Effect, string Basis, string Uncertainty)
{
    /// <summary>Why the effect cannot be computed; null if there is an effect.</summary>
    public string? Unknown { get; init; }

    /// <summary>Whether the effect's times count from the first counter sample, because items were already queued at that sample.</summary>
    internal bool MetLate { get; init; }
}

/// <summary>The kind of data that a rule lacks.</summary>
public enum MissingKind
{
    /// <summary>No event of the pool arrived.</summary>
    Events,

    /// <summary>Events were lost.</summary>
    LostEvents,

    /// <summary>Counter samples: too few, late, or without a value that the rule needs.</summary>
    CounterSamples,

    /// <summary>Older data was discarded to limit memory use.</summary>
    History,

    /// <summary>The time before the capture began.</summary>
    Beginning,

    /// <summary>Stack samples, or a reading of the memory of the process.</summary>
    Stacks,

    /// <summary>A setting or a fact of the runtime: MaxThreads, the version, the number of processors.</summary>
    Setting,

    /// <summary>The share of memory in use.</summary>
    MemoryLoad,

    /// <summary>Whether the process and its threads ran.</summary>
    ProcessState,

    /// <summary>Times of requests.</summary>
    Requests,

    /// <summary>The evaluation of the rule itself failed, which is a bug in tpwatch.</summary>
    Check,
}

/// <summary>A rule that lacks the data to decide.</summary>
/// <param name="Id">The id of the finding that the rule would report.</param>
/// <param name="Missing">What is not known, and how to find out.</param>
/// <param name="Kind">The kind of data that is missing.</param>
public sealed record Undecided(string Id, string Missing, MissingKind Kind)
{
    /// <summary>The last part of <see cref="Missing"/>, which says how to get the data.</summary>
    internal MissingDataHint How { get; init; } = MissingDataHint.None;
}

/// <summary>
/// Why a verdict is undecided: one text in three parts. The second and the third part are empty or begin with a punctuation mark. The third
/// part says how to get the missing data.
/// </summary>
sealed record UndecidedReason(string First, string Rest = "", MissingDataHint? How = null)
{
    /// <summary>Whether the queue times of all items would decide the verdict.</summary>
    public bool OfItemTimes { get; init; }

    /// <summary>The whole text, without a full stop.</summary>
    public override string ToString() => Words(byKey: false);

    /// <summary>The whole text, with a key of the screen or with a command.</summary>
    public string Words(bool byKey) => First + Rest + How?.Words(byKey);
}

/// <summary>The explanation of a finding's rule, independent of any capture; printed by <c>rules</c> and in the catalogue.</summary>
/// <param name="Gist">The runtime's behaviour, or the harm that it causes, in one sentence.</param>
/// <param name="More">Further sentences about this behaviour or harm.</param>
/// <param name="Needs">The data a capture must contain for the rule to decide.</param>
/// <param name="Remedy">The remedies: first for the cause, the workaround last.</param>
/// <param name="FalseAlarms">Conditions under which the rule reports a finding although nothing is wrong.</param>
sealed record FindingMeaning(string Gist, string More, string Needs, string Remedy, string FalseAlarms)
{
    /// <summary>The runtime's behaviour and the harm that it causes.</summary>
    public string Mechanism => $"{Gist} {More}".TrimEnd();
}

/// <summary>
/// Selects the finding that explains the verdict. One cause can lead to several findings; all outputs use the selected one.
/// </summary>
static class LeadingFinding
{
    /// <summary>The ids of the findings <see cref="Outside"/> and <see cref="Deadlock"/>.</summary>
    public const string OutsideId = "TPW021", DeadlockId = "TPW022";

    /// <summary>Returns the most severe finding with a remedy; among equals, the one with the most specific cause; null if none.</summary>
    public static Finding? Of(ImmutableArray<Finding> findings) => findings.Where(f => !f.Remedies.IsEmpty)
        .OrderByDescending(f => f.Severity).ThenByDescending(f => f.Cause.Kind).FirstOrDefault();

    /// <summary>The leading finding if it needs action; null for the notes of a healthy pool.</summary>
    public static Finding? ToActOn(PoolReport report) =>
        Of(report.Findings) is { } leading && (leading.Severity > Severity.Note || report.Verdict.IsTrouble()) ? leading : null;

    /// <summary>The finding about the program's own code that blocks threads outside the pool; null when there is none.</summary>
    public static Finding? Outside(ImmutableArray<Finding> findings) => findings.FirstOrDefault(f => f.Id == OutsideId);

    /// <summary>The finding about threads that wait for each other's locks; null when there is none.</summary>
    public static Finding? Deadlock(ImmutableArray<Finding> findings) => findings.FirstOrDefault(f => f.Id == DeadlockId);

    /// <summary>The finding about requests that are slow although the pool is healthy; null when there is none.</summary>
    public static Finding? Elsewhere(ImmutableArray<Finding> findings) => findings.FirstOrDefault(f => f.Cause.Kind == CauseKind.Elsewhere);

    /// <summary>Returns findings that need action and have another cause than the leading one, except those of low confidence.</summary>
    public static IEnumerable<Finding> Others(PoolReport report)
    {
        var leading = Of(report.Findings);
        return report.Findings.Where(f => f.Id != leading?.Id && f.Severity > Severity.Note && f.Confidence > Confidence.Low
            && !f.Remedies.IsEmpty && (leading is null || !f.Cause.OfHeldThreads));
    }
}

/// <summary>The figures of a measured or simulated run; null for a figure that is unknown or was never reached.</summary>
/// <param name="TotalMs">Time from the first item's enqueue to the last item's completion, milliseconds.</param>
/// <param name="StartDelayMs">Mean queue time, milliseconds; an item that did not start counts with its time until the end.</param>
/// <param name="LatencyMs">Mean time from enqueue to completion, milliseconds; incomplete items count with their time until the
/// end.</param>
/// <param name="PeakWorkers">Largest number of worker threads.</param>
/// <param name="PeakQueueLength">Largest queue length.</param>
/// <param name="StarvedMs">Total time covered by waits that are longer than <see cref="LongMs"/>, milliseconds.</param>
sealed record WhatIfFigures(double? TotalMs, double? StartDelayMs, double? LatencyMs, int? PeakWorkers, long? PeakQueueLength,
    double StarvedMs)
{
    /// <summary>
    /// Queue time above which an item counts for StarvedMs, milliseconds: twice the time that starvation detection requires.
    /// </summary>
    public const double LongMs = 1000;

    /// <summary>Number of items that had not started at the end of the run.</summary>
    public int NeverStarted { get; init; }
}

/// <summary>The figures of a measured run and of its simulation with a change.</summary>
record WhatIfOutcome
{
    /// <summary>Figures of the measured run. The queue times are simulated with the observed target thread counts.</summary>
    public required WhatIfFigures Seen { get; init; }

    /// <summary>
    /// Figures simulated with the change; the optimistic bound if it is unknown how many items the awaited resource serves at once.
    /// </summary>
    public required WhatIfFigures Simulated { get; init; }

    /// <summary>
    /// The pessimistic bound: figures simulated if the awaited resource serves no more items per second than now. Null if not worse.
    /// </summary>
    public WhatIfFigures? Worst { get; init; }

    /// <summary>Why there is no answer, one sentence; the figures then mean nothing. Null if there is an answer.</summary>
    public string? Unknown { get; init; }

    /// <summary>Why the number of items completed per second cannot rise, one sentence; null if the number may rise.</summary>
    public string? Bound { get; init; }
}
