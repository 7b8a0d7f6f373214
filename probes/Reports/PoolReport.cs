namespace Tpwatch.Reports;

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

    /// <summary>Those of them that are no moves of the goal: only they may have hidden that somebody waited.</summary>
    internal long EvictedWaits => Evicted - Math.Max(0, Tally.Moves - GapTally.Of(Gaps).Moves);

    /// <summary>Injections by reason, since the start, evicted ones included.</summary>
    public required ImmutableSortedDictionary<AdjustmentReason, int> Adjustments { get; init; }

    /// <summary>Those for task waits that raised the target; the others took compensation back.</summary>
    internal int Compensations { get; init; }

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

    /// <summary>Workers that are idle or hang, of whom a late attach knows nothing yet; null where there are none.</summary>
    internal int? MayHang { get; init; }

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

    /// <summary>
    /// Queue delay and run time by starved and healthy time, over time, and the slowest items; null where items were not watched.
    /// </summary>
    public ItemTimes? Items { get; init; }

    /// <summary>The items one by one, for who imagines them under other settings; null where items were not watched.</summary>
    internal ItemSnapshot? Measured { get; init; }

    /// <summary>HTTP requests by route; null where they were not watched, or none came.</summary>
    internal RequestTimes? Requests { get; init; }

    /// <summary>Whether requests are watched, though none may have come yet.</summary>
    internal bool WatchesRequests { get; init; }

    /// <summary>
    /// How often a live target was asked for counter samples, milliseconds; null where nobody knows, or none are asked for.
    /// </summary>
    internal double? HeartbeatMs { get; init; }

    /// <summary>What was switched on in the target, or is in the recording.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>What holds the workers, the largest share first; null where no stacks were taken.</summary>
    public ImmutableArray<Blocker>? Blockers { get; init; }

    /// <summary>The bursts of stacks that tell of them; null where none were taken.</summary>
    public StackBursts? Bursts { get; init; }

    /// <summary>The newest reading of the process's memory; null where there is none.</summary>
    public InsideReading? Inside { get; init; }

    /// <summary>Why the capture ended.</summary>
    public SessionEnd End { get; init; }
}
