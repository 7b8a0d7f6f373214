using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>A backlog, the workers that take from it, and what may add to either.</summary>
/// <param name="At">The moment from which on it drains.</param>
/// <param name="FreeMs">When each worker at work takes its next item, milliseconds after <paramref name="At"/>.</param>
/// <param name="RunMs">How long an item holds its worker, milliseconds: the same for all, for unlike ones their mean.</param>
/// <param name="Backlog">Items that wait.</param>
/// <param name="State">What the policy knows.</param>
sealed record DrainCase(EventTime At, ImmutableArray<double> FreeMs, double RunMs, long Backlog, PoolState State)
{
    /// <summary>A worker is added at every tick: more than any gate adds, for a lower bound. Else those that the policy adds.</summary>
    public bool AtEveryTick { get; init; }

    /// <summary>Items that arrive a millisecond; matters for the end of the backlog alone.</summary>
    public double ArrivalsPerMs { get; init; }

    /// <summary>
    /// When the last item was taken, milliseconds after <see cref="At"/> and so not above 0; null: as the workers at work tell.
    /// </summary>
    public double? LastDequeueMs { get; init; }

    /// <summary>By which rules it is foretold, for whoever reads the basis.</summary>
    public string Rules => State.IsAtMax
        ? $"Assumed: items start in queue order. {MaxReached}"
        : "Assumed: items start in queue order, and the pool adds threads by its rules, without hill climbing.";

    /// <summary>Why the pool adds no thread, a sentence.</summary>
    public const string MaxReached = "MaxThreads is reached, so the pool adds no thread.";

    /// <summary>What is ahead of an item queued at <see cref="At"/>, a sentence.</summary>
    public string Ahead => $"Ahead of a new item: {Format.Plural(Backlog, "item")}. Busy worker threads: {Format.Count(FreeMs.Length)}.";

    /// <summary>
    /// Above the goal a worker stops at the end of its item: of those that end what they work on at these moments so many go on, the last.
    /// </summary>
    public static ImmutableArray<double> Working(IEnumerable<double> freeMs, int working) =>
        [.. freeMs.OrderDescending().Take(Math.Max(1, working))];

    /// <summary>When the backlog is gone.</summary>
    public BacklogGone Gone(DrainResult drained)
    {
        var arriving = $"{Format.Rate(ArrivalsPerMs * 1000)} arrive and {Format.Rate(FreeMs.Length / RunMs * 1000)} complete";
        return double.IsFinite(drained.GoneMs)
            ? new(At.PlusMs(drained.GoneMs), Never: false,
                $"{arriving}. {(State.IsAtMax ? MaxReached : "The pool should add threads meanwhile.")}")
            {
                IfThreadsHelp = drained.Added > 0,
            }
            : new(null, Never: true, (Format.Rate(ArrivalsPerMs * 1000) == Format.Rate(FreeMs.Length / RunMs * 1000)
                ? "about as many items arrive as complete" : arriving) + ".");
    }
}

/// <summary>How a backlog drained.</summary>
/// <param name="StartDelayMs">When an item queued at the beginning started, milliseconds; infinite when never.</param>
/// <param name="GoneMs">When nothing waited any more, milliseconds; infinite when arrivals outrun the workers.</param>
/// <param name="Added">Workers that were added meanwhile.</param>
readonly record struct DrainResult(double StartDelayMs, double GoneMs, int Added);
