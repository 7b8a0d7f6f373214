namespace Tpwatch.Scoring.Scores;

/// <summary>What could be read of the next worker before it came, against when it came by the fixture's own record.</summary>
/// <param name="Ticks">Workers by the gate of which the moment was right to within half a look.</param>
/// <param name="TwoTicks">The same workers by the constant answer "two looks after the last one".</param>
/// <param name="AsLast">The same by "as long as the last one took".</param>
/// <param name="Steps">Workers for task waits of which the moment was right to within a window of 30 ms.</param>
sealed record PredictionScore(Share Ticks, Share TwoTicks, Share AsLast, Share Steps)
{
    public static PredictionScore None { get; } = new(default, default, default, default);

    /// <summary>
    /// Error of the moment where the look was right, milliseconds; a list, since a percentile over all runs needs every one.
    /// </summary>
    public ImmutableArray<double> TimeErrorsMs { get; init; } = [];

    /// <summary>Error of the countdown to a step, milliseconds.</summary>
    public ImmutableArray<double> CountdownErrorsMs { get; init; } = [];

    /// <summary>Workers that came though nothing was foretold and nothing else had happened.</summary>
    public int Missed { get; init; }

    /// <summary>Workers that were foretold and did not come, though nothing else happened.</summary>
    public int Invented { get; init; }

    /// <summary>Workers that say nothing of a prediction, with the reason.</summary>
    public ImmutableSortedDictionary<Unscored, int> Unscored { get; init; } = ImmutableSortedDictionary<Unscored, int>.Empty;

    public static PredictionScore operator +(PredictionScore one, PredictionScore other) => new(
        one.Ticks + other.Ticks, one.TwoTicks + other.TwoTicks, one.AsLast + other.AsLast, one.Steps + other.Steps)
    {
        TimeErrorsMs = [.. one.TimeErrorsMs, .. other.TimeErrorsMs],
        CountdownErrorsMs = [.. one.CountdownErrorsMs, .. other.CountdownErrorsMs],
        Missed = one.Missed + other.Missed,
        Invented = one.Invented + other.Invented,
        Unscored = one.Unscored.Concat(other.Unscored).GroupBy(pair => pair.Key)
            .ToImmutableSortedDictionary(group => group.Key, group => group.Sum(pair => pair.Value)),
    };
}

/// <summary>Why a worker that came, or did not, says nothing of what was foretold.</summary>
enum Unscored
{
    /// <summary>It came sooner than the stream brings what it follows from: nobody could have read anything.</summary>
    BeforeAnythingWasRead,

    /// <summary>Nothing waited until a moment before, and counters come once a second: nobody could know that anything waits.</summary>
    BacklogTooYoung,

    /// <summary>
    /// It came after one that nobody saw, or within a second of attaching: neither the gate's looks nor the backlog are known before.
    /// </summary>
    FirstSeen,

    /// <summary>Another worker took an item in between, which is the condition that was printed with the prediction.</summary>
    ItemsWereTaken,

    /// <summary>The machine did not let the process run meanwhile.</summary>
    Standstill,

    /// <summary>The pool stood at its max, which nothing had told.</summary>
    AtMax,
}
