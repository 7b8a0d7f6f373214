using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>A queue, the worker threads that take items from it, and the sources of further items and threads.</summary>
/// <param name="At">The time at which the simulation starts.</param>
/// <param name="FreeMs">When each busy worker thread takes its next item, milliseconds after <paramref name="At"/>.</param>
/// <param name="RunMs">How long an item holds its worker thread, milliseconds: one value for all items, their mean if they differ.</param>
/// <param name="QueueLength">Queue length.</param>
/// <param name="State">The state that the policy knows.</param>
sealed record DrainCase(EventTime At, ImmutableArray<double> FreeMs, double RunMs, long QueueLength, PoolState State)
{
    /// <summary>
    /// Whether a worker thread is added at every gate check, more than any pool adds, for a lower bound. Otherwise the policy decides.
    /// </summary>
    public bool AtEveryCheck { get; init; }

    /// <summary>Items that arrive per millisecond; only used for the time at which the queue is empty.</summary>
    public double ArrivalsPerMs { get; init; }

    /// <summary>
    /// When the last item was dequeued, milliseconds after <see cref="At"/> and therefore not above 0; null: derived from the busy worker
    /// threads.
    /// </summary>
    public double? LastDequeueMs { get; init; }

    /// <summary>The rules behind the forecast, as a sentence for its basis.</summary>
    public string Rules => State.IsAtMax
        ? $"Assumed: items start in queue order. {MaxReached}"
        : "Assumed: items start in queue order, and the pool adds threads by its rules, without hill climbing.";

    /// <summary>The sentence that explains why the pool adds no thread.</summary>
    public const string MaxReached = "MaxThreads is reached, so the pool adds no thread.";

    /// <summary>The sentence about the items and worker threads ahead of an item queued at <see cref="At"/>.</summary>
    public string Ahead =>
        $"Ahead of a new item: {Format.Plural(QueueLength, "item")}. Busy worker threads: {Format.Count(FreeMs.Length)}.";

    /// <summary>
    /// The busy worker threads that continue, by the times at which they complete their items: above the target thread count a worker
    /// thread stops after its item, so the last <paramref name="working"/> continue.
    /// </summary>
    public static ImmutableArray<double> Working(IEnumerable<double> freeMs, int working) =>
        [.. freeMs.OrderDescending().Take(Math.Max(1, working))];

    /// <summary>When the queue is empty.</summary>
    public QueueEmpty Gone(DrainResult drained)
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

/// <summary>How a queue drained.</summary>
/// <param name="StartDelayMs">When an item queued at the beginning started, milliseconds; infinite when it never starts.</param>
/// <param name="GoneMs">When the queue was empty, milliseconds; infinite when more items arrive than the worker threads complete.</param>
/// <param name="Added">Number of worker threads added meanwhile.</param>
readonly record struct DrainResult(double StartDelayMs, double GoneMs, int Added);
