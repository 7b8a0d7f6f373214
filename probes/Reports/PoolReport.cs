using System.Diagnostics.CodeAnalysis;

namespace Tpwatch.Reports;

/// <summary>The observations and the verdict at one moment: what the findings and the sentences of a report are made from.</summary>
public record PoolEvidence
{
    internal PoolEvidence()
    {
    }

    /// <summary>The observations.</summary>
    public required TimelineSnapshot Timeline { get; init; }

    /// <summary>The injection delays and other changes of the target thread count, oldest first; an unfinished delay is last.</summary>
    public required ImmutableArray<InjectionDelay> InjectionDelays { get; init; }

    /// <summary>
    /// The newest injection delays as judged at their end, without the effect of later events. Live lines print these judgements, which are
    /// identical in a replay at any speed. Each delay has the same number as in <see cref="InjectionDelays"/>.
    /// </summary>
    public required ImmutableArray<InjectionDelay> Journal { get; init; }

    /// <summary>Number of injection delays and episodes that were discarded to limit memory use.</summary>
    public required long Evicted { get; init; }

    /// <summary><see cref="Evicted"/> without changes of the target thread count during which no item can have waited.</summary>
    internal long EvictedWaits => Evicted - Math.Max(0, Tally.Moves - DelayTally.Of(InjectionDelays).Moves);

    /// <summary>Number of thread count adjustments by reason, since the start of the capture, including discarded adjustments.</summary>
    public required ImmutableSortedDictionary<AdjustmentReason, int> Adjustments { get; init; }

    /// <summary>Number of adjustments for task waits that raised the target thread count, not lowered it.</summary>
    internal int Compensations { get; init; }

    /// <summary>Numbers of injection delays by <see cref="DelayVerdict"/>, including discarded delays.</summary>
    public required DelayTally Tally { get; init; }

    /// <summary>Time spans in which items waited.</summary>
    public required ImmutableArray<StarvedEpisode> Episodes { get; init; }

    /// <summary>The overall verdict.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>Start of the first episode; null if there is none.</summary>
    public EventTime? Since { get; init; }

    /// <summary>Whether the problem lasts at the end of the capture.</summary>
    public required bool IsNow { get; init; }

    /// <summary>Total time during which items waited, milliseconds.</summary>
    public required double StarvedMs { get; init; }

    /// <summary>Largest number of worker threads seen.</summary>
    public int? MaxWorkers { get; init; }

    /// <summary>
    /// Number of worker threads of which, after a late attach, the data does not show whether they are idle or hang; null for none.
    /// </summary>
    internal int? MayHang { get; init; }

    /// <summary>Largest queue length seen.</summary>
    public long? MaxQueueLength { get; init; }

    /// <summary>The expected next events, and the accuracy of predictions so far; null if no forecast was requested.</summary>
    public PoolForecast? Forecast { get; init; }

    /// <summary>Queue time, from enqueue to dequeue; null if items were not watched.</summary>
    public Distribution? QueueDelay { get; init; }

    /// <summary>Run time, from dequeue to the end of the callback; null if items were not watched.</summary>
    public Distribution? RunTime { get; init; }

    /// <summary>
    /// Queue time and run time during and outside starvation, queue time over time, and the slowest items; null if items were not watched.
    /// </summary>
    public ItemTimes? Items { get; init; }

    /// <summary>The single items, as input of simulations with other settings; null if items were not watched.</summary>
    internal ItemSnapshot? Measured { get; init; }

    /// <summary>HTTP requests by route; null if requests were not watched, or none arrived.</summary>
    internal RequestTimes? Requests { get; init; }

    /// <summary>Whether requests are watched, even if none has arrived yet.</summary>
    internal bool WatchesRequests { get; init; }

    /// <summary>Requested interval of a live target's counter samples, milliseconds; null if unknown or none are requested.</summary>
    internal double? SampleIntervalMs { get; init; }

    /// <summary>The depth that was enabled in the target, or that the recording contains.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>The places that hold worker threads, largest share first; null if no stacks were sampled.</summary>
    public ImmutableArray<Blocker>? Blockers { get; init; }

    /// <summary>The stack bursts that show these places; null if there are none.</summary>
    public StackBursts? Bursts { get; init; }

    /// <summary>The newest reading of the process's memory; null if there is none.</summary>
    public InsideReading? Inside { get; init; }

    /// <summary>Why the capture ended.</summary>
    public SessionEnd End { get; init; }
}

/// <summary>The observations and their interpretation at one moment; the input of every output format.</summary>
public sealed record PoolReport : PoolEvidence
{
    /// <summary>A report of which everything required has to be set.</summary>
    public PoolReport()
    {
    }

    /// <summary>The report on this evidence.</summary>
    [SetsRequiredMembers]
    internal PoolReport(PoolEvidence evidence, string headline)
        : base(evidence) => Headline = headline;

    /// <summary>The headline: whether the pool is the cause, since when, how severe, whether it is over, and what to do.</summary>
    public required string Headline { get; init; }

    /// <summary>The headline for the screen, which names keys instead of commands.</summary>
    internal string HeadlineByKey { get => field ?? Headline; init; }

    /// <summary>Why the verdict is undecided; null for other verdicts.</summary>
    internal Lack? Lack { get; init; }

    /// <summary>The findings.</summary>
    public ImmutableArray<Finding> Findings { get; init; } = [];

    /// <summary>The rules that lack data to decide.</summary>
    public ImmutableArray<Undecided> Undecided { get; init; } = [];

    /// <summary>The rules that were evaluated without a finding.</summary>
    public ImmutableArray<string> Clear { get; init; } = [];

    /// <summary>The effects of other settings; empty if no item waited or none was requested.</summary>
    public ImmutableArray<WhatIfEffect> WhatIf { get; init; } = [];
}
