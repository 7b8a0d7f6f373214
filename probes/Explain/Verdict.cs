using System.Collections.Immutable;
using Tpwatch.Attach;
using Tpwatch.Events.Facts;
using Tpwatch.Explain.Forecast;
using Tpwatch.Explain.Gaps;
using Tpwatch.Explain.Items;
using Tpwatch.Timeline;
using Tpwatch.Timeline.Items;

namespace Tpwatch.Explain;

/// <summary>What the capture says about the pool.</summary>
public enum Verdict
{
    /// <summary>Nothing waited for a worker for long.</summary>
    Healthy,

    /// <summary>Task waits were compensated by additional workers, and that sufficed.</summary>
    Compensated,

    /// <summary>Items waited while every worker was blocked; the runtime noticed and added workers, by its gate or for task waits, too slowly.</summary>
    Starved,

    /// <summary>Items waited, and the runtime's detector slept: there is no adjustment event for it.</summary>
    SilentlyStarved,

    /// <summary>Items waited, and the processors were busy.</summary>
    Saturated,

    /// <summary>The delay has another cause.</summary>
    NotThePool,

    /// <summary>The capture cannot answer.</summary>
    Undecided,
}

/// <summary>A stretch in which items waited for a worker.</summary>
/// <param name="Span">From when to when.</param>
/// <param name="Kind">Starved, SilentlyStarved or Saturated; NotThePool where the process itself did not run for most of it.</param>
/// <param name="Over">Whether it has ended.</param>
/// <param name="ProvenWaitMs">Some item has waited at least so long; a proven lower bound, milliseconds.</param>
public sealed record StarvedEpisode(EventSpan Span, Verdict Kind, bool Over, double ProvenWaitMs);

/// <summary>How many gaps got which judgement.</summary>
public sealed record GapTally(int Total, int Fits, int Early, int Late, int NoRule, int NoData, int NotTimed, int Open)
{
    /// <summary>How many of <see cref="NotTimed"/> are no waits but moves of hill climbing, compensation given back, and idle workers that ended.</summary>
    public int Moves { get; init; }

    /// <summary>How many of them are waits for a worker.</summary>
    public int Waits => Total - Moves;

    internal static GapTally Of(IEnumerable<Gap> gaps)
    {
        Span<int> counts = stackalloc int[Enum.GetValues<GapVerdict>().Length];
        var (total, moves) = (0, 0);
        foreach (var gap in gaps)
        {
            counts[(int)gap.Verdict]++;
            total++;
            moves += gap is { IsWait: false, Verdict: GapVerdict.NotTimed } ? 1 : 0;
        }

        return new(
            total, counts[(int)GapVerdict.Fits], counts[(int)GapVerdict.Early], counts[(int)GapVerdict.Late], counts[(int)GapVerdict.NoRule],
            counts[(int)GapVerdict.NoData], counts[(int)GapVerdict.NotTimed], counts[(int)GapVerdict.Open])
        {
            Moves = moves,
        };
    }

    internal GapTally Plus(GapTally other) => new(
        Total + other.Total, Fits + other.Fits, Early + other.Early, Late + other.Late, NoRule + other.NoRule, NoData + other.NoData,
        NotTimed + other.NotTimed, Open + other.Open)
    {
        Moves = Moves + other.Moves,
    };
}

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
    /// <summary>Digits after the point that say something of a number of this size: four in all.</summary>
    static int Digits(double value) => Math.Abs(value) switch { >= 1000 => 0, >= 100 => 1, >= 10 => 2, _ => 3 };

    /// <summary>The number, to four digits: more would be noise of the arithmetic.</summary>
    public double? Value { get; } = Value is { } value ? Math.Round(value, Digits(value)) : null;
}

/// <summary>Something to do; <paramref name="Setting"/> is the exact spelling where it is a setting.</summary>
public sealed record Remedy(string Text, string? Setting = null);

/// <summary>Something that is wrong, why, and what to do.</summary>
public sealed record Finding(
    string Id, string Title, Severity Severity, Confidence Confidence, EventTime From, EventTime To, string Headline,
    ImmutableArray<Evidence> Evidence, ImmutableArray<Remedy> Remedies);

/// <summary>The same arrivals under other settings: what is changed, what comes of it, from what that is computed and how far it can be trusted.</summary>
public sealed record WhatIfEffect(string Change, string Effect, string Basis, string Uncertainty);

/// <summary>A rule that lacks something to decide.</summary>
public sealed record Undecided(string Id, string Missing);

/// <summary>What is known and what it means, at one moment; the input of every presentation.</summary>
public sealed record PoolReport
{
    /// <summary>What was seen.</summary>
    public required TimelineSnapshot Timeline { get; init; }

    /// <summary>Every wait for a worker, oldest first; the open one last.</summary>
    public required ImmutableArray<Gap> Gaps { get; init; }

    /// <summary>
    /// The newest gaps as they were judged at the moment they closed, before later events could add to it; what a live line prints,
    /// the same in a replay at any speed. Matches <see cref="Gaps"/> by number.
    /// </summary>
    public required ImmutableArray<Gap> Journal { get; init; }

    /// <summary>Gaps and episodes that were forgotten to stay within bounds.</summary>
    public required long Evicted { get; init; }

    /// <summary>Injections by reason, since the start, evicted ones included.</summary>
    public required ImmutableSortedDictionary<AdjustmentReason, int> Adjustments { get; init; }

    /// <summary>How many gaps got which judgement, evicted ones included.</summary>
    public required GapTally Tally { get; init; }

    /// <summary>Stretches in which items waited.</summary>
    public required ImmutableArray<StarvedEpisode> Episodes { get; init; }

    /// <summary>The judgement over all.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>One headline: is it the pool, since when, how bad, is it over, what to do.</summary>
    public required string Headline { get; init; }

    /// <summary>The first onset: start of the first episode; null when there is none.</summary>
    public EventTime? Since { get; init; }

    /// <summary>Whether the trouble lasts at the end of the capture.</summary>
    public required bool IsNow { get; init; }

    /// <summary>Time in which items waited, milliseconds.</summary>
    public required double StarvedMs { get; init; }

    /// <summary>Most workers seen.</summary>
    public int? MaxWorkers { get; init; }

    /// <summary>Largest backlog seen.</summary>
    public long? MaxBacklog { get; init; }

    /// <summary>What was found.</summary>
    public ImmutableArray<Finding> Findings { get; init; } = [];

    /// <summary>Rules that lack something.</summary>
    public ImmutableArray<Undecided> Undecided { get; init; } = [];

    /// <summary>Rules that looked and found nothing.</summary>
    public ImmutableArray<string> Clear { get; init; } = [];

    /// <summary>What comes next, and how good predictions have been; null where nobody was asked.</summary>
    public PoolForecast? Forecast { get; init; }

    /// <summary>What would have happened under other settings; empty where nothing waited or nobody asked.</summary>
    public ImmutableArray<WhatIfEffect> WhatIf { get; init; } = [];

    /// <summary>From enqueue to dequeue; null where items were not watched.</summary>
    public Distribution? QueueDelay { get; init; }

    /// <summary>From dequeue to the end of the callback; null where items were not watched.</summary>
    public Distribution? RunTime { get; init; }

    /// <summary>Queue delay and run time by starved and healthy time, over time, and the slowest items; null where items were not watched.</summary>
    public ItemTimes? Items { get; init; }

    /// <summary>The items one by one, for who imagines them under other settings; null where items were not watched.</summary>
    internal ItemSnapshot? Measured { get; init; }

    /// <summary>What was switched on in the target, or is in the recording.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>What holds the workers, the largest share first; null where no stacks were taken.</summary>
    public ImmutableArray<Blocker>? Blockers { get; init; }

    /// <summary>The bursts of stacks that tell of them; null where none were taken.</summary>
    public StackBursts? Bursts { get; init; }

    /// <summary>Why the capture ended.</summary>
    public SessionEnd End { get; init; }
}
