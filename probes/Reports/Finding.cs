namespace Tpwatch.Reports;

/// <summary>How serious a finding is.</summary>
public enum Severity
{
    /// <summary>Worth knowing.</summary>
    Note,

    /// <summary>Worth acting.</summary>
    Warning,

    /// <summary>Act now.</summary>
    Serious,
}

/// <summary>How sure a finding is.</summary>
public enum Confidence
{
    /// <summary>A guess with reasons.</summary>
    Low,

    /// <summary>Likely.</summary>
    Medium,

    /// <summary>Follows from what was seen.</summary>
    High,
}

/// <summary>A number that supports a finding.</summary>
public sealed record Evidence(string Text, double? Value, string? Unit, string Source)
{
    /// <summary>How a text ends that is one phrase with its value; behind any other the value stands alone.</summary>
    static readonly string[] GoesOn = [" every", " after", " about", " at least", " at most"];

    /// <summary>What joins the text to its value: <c>Longest queue: 22 items</c>, but <c>An item waited at least 4.0 s</c>.</summary>
    internal string Joint => GoesOn.Any(end => Text.EndsWith(end, StringComparison.Ordinal)) ? " " : ": ";

    /// <summary>Whether the text says that the value is about so much.</summary>
    internal bool IsEstimate => Text.Contains(" about", StringComparison.Ordinal);

    /// <summary>Digits after the point that say something of a number of this size: four in all.</summary>
    static int Digits(double value) => Math.Abs(value) switch { >= 1000 => 0, >= 100 => 1, >= 10 => 2, _ => 3 };

    /// <summary>The number, to four digits: more would be noise of the arithmetic.</summary>
    public double? Value { get; } = Value is { } value ? Math.Round(value, Digits(value)) : null;
}

/// <summary>What a remedy asks for.</summary>
public enum RemedyKind
{
    /// <summary>A change of the code or of what runs there, or a look that tells more.</summary>
    Change,

    /// <summary>A setting that mends it.</summary>
    Setting,

    /// <summary>A setting that helps until the cause is mended.</summary>
    Workaround,

    /// <summary>Nothing: it says why more threads do not help.</summary>
    Refusal,
}

/// <summary>Something to do; <paramref name="Setting"/> is the exact spelling where it is a setting.</summary>
public sealed record Remedy(string Text, string? Setting = null)
{
    /// <summary>What it asks for.</summary>
    public RemedyKind Kind { get; init; } = Setting is null ? RemedyKind.Change : RemedyKind.Setting;

    /// <summary>
    /// Whether a larger min is advised that may be of no use, for nothing shows that the items do not wait for one another.
    /// </summary>
    internal bool IsDoubtedMin { get; init; }
}

/// <summary>
/// How closely a finding names the cause, from what says what is seen to what says why: a pool whose detector is off, that is wedged or
/// in a deadlock also starves, and what helps against starvation in general does not help there.
/// </summary>
enum CauseKind
{
    /// <summary>It says what is seen.</summary>
    Effect,

    /// <summary>It is not the pool: requests wait for something that holds no worker.</summary>
    Elsewhere,

    /// <summary>Completions keep starvation detection from triggering.</summary>
    DetectorAsleep,

    /// <summary>There is one processor, and so one worker.</summary>
    OneProcessor,

    /// <summary>Workers block in calls that the pool cannot detect.</summary>
    HiddenBlocking,

    /// <summary>Workers wait for tasks.</summary>
    TaskWaits,

    /// <summary>Workers block in both ways.</summary>
    BothBlockings,

    /// <summary>Memory is high, and the pool adds nobody for task waits.</summary>
    MemoryVeto,

    /// <summary>Max is reached.</summary>
    AtMax,

    /// <summary>No processor is free.</summary>
    NoProcessor,

    /// <summary>No item ends: a deadlock, or one slow dependency.</summary>
    NothingEnds,

    /// <summary>Workers hang, and nothing waits.</summary>
    Held,

    /// <summary>The pool itself does not take what waits.</summary>
    Wedged,

    /// <summary>Starvation detection is switched off.</summary>
    DetectorOff,

    /// <summary>Threads wait for each other's locks.</summary>
    Deadlock,
}

/// <summary>What a finding has to do with the cause.</summary>
/// <param name="Kind">How closely it names it.</param>
/// <param name="Words">The cause in a few words, without a verb of time; null where the verdict says as much.</param>
sealed record FindingCause(CauseKind Kind, string? Words)
{
    /// <summary>Of a finding that nobody asked.</summary>
    public static readonly FindingCause None = new(CauseKind.Effect, null);

    /// <summary>Whether it tells of threads that are held, seen from one side or another: whoever mends one mends all.</summary>
    public bool OfHeldThreads { get; init; }
}

/// <summary>Something that is wrong, why, and what to do.</summary>
public sealed record Finding(
    string Id, string Title, Severity Severity, Confidence Confidence, EventTime From, EventTime To, string Headline,
    ImmutableArray<Evidence> Evidence, ImmutableArray<Remedy> Remedies)
{
    /// <summary>What it has to do with the cause; findings are ranked and the headline is told by it.</summary>
    internal FindingCause Cause { get; init; } = FindingCause.None;
}

/// <summary>
/// The same arrivals under other settings: what is changed, what comes of it, from what that is computed and how far it can be trusted.
/// </summary>
public sealed record WhatIfEffect(string Change, string Effect, string Basis, string Uncertainty)
{
    /// <summary>Why there is no answer; then there is no effect. Null where there is one.</summary>
    public string? Unknown { get; init; }

    /// <summary>Whether times count from the first counter sample, at which items waited already; else from the first item.</summary>
    internal bool MetLate { get; init; }
}

/// <summary>A rule that lacks something to decide.</summary>
public sealed record Undecided(string Id, string Missing);
