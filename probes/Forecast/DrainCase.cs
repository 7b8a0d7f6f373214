using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Model;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>Which workers are added while a backlog drains.</summary>
enum Injections
{
    /// <summary>None.</summary>
    None,

    /// <summary>Those that the policy adds if every item runs equally long.</summary>
    ByRule,

    /// <summary>One at every tick that may add one: more than any gate adds, for a lower bound.</summary>
    AtEveryTick,
}

/// <summary>A backlog, the workers that take from it, and what may add to either.</summary>
/// <param name="At">The moment from which on it drains.</param>
/// <param name="FreeMs">When each worker takes its next item, milliseconds after <paramref name="At"/>.</param>
/// <param name="RunMs">How long an item holds its worker, milliseconds.</param>
/// <param name="Backlog">Items that wait.</param>
/// <param name="State">What the policy knows.</param>
sealed record DrainCase(EventTime At, ImmutableArray<double> FreeMs, double RunMs, long Backlog, PoolState State)
{
    /// <summary>Which workers are added.</summary>
    public Injections Injections { get; init; } = Injections.ByRule;

    /// <summary>Items that arrive a millisecond; matters for the end of the backlog alone.</summary>
    public double ArrivalsPerMs { get; init; }

    /// <summary>
    /// How long the item holds its worker that is taken as the so-manieth, milliseconds, where items differ; else all run equally long.
    /// </summary>
    public Func<long, double>? RunMsOf { get; init; }

    /// <summary>
    /// When the last item was taken, milliseconds after <see cref="At"/> and so not above 0; null: as the workers at work tell.
    /// </summary>
    public double? LastDequeueMs { get; init; }

    /// <summary>Whether the run goes on until the backlog is gone.</summary>
    public bool ToTheEnd { get; init; }

    /// <summary>By which rules it is foretold, for whoever reads the basis.</summary>
    public const string Rules = "Assumed: items start in queue order, and the pool adds threads by its rules, without hill climbing.";

    /// <summary>Told as gone so many milliseconds after the case begins; infinite when never.</summary>
    public BacklogGone Gone(double ms)
    {
        var arriving = $"{Format.Rate(ArrivalsPerMs * 1000)} arrive and {Format.Rate(FreeMs.Length / RunMs * 1000)} complete";
        return double.IsFinite(ms)
            ? new(At.PlusMs(ms), Never: false, $"{arriving}. The pool should add threads meanwhile.")
            : new(null, Never: true, arriving + ".");
    }
}

/// <summary>How a backlog drained.</summary>
/// <param name="StartDelayMs">When an item queued at the beginning started, milliseconds; infinite when never.</param>
/// <param name="GoneMs">When nothing waited any more, milliseconds; infinite when arrivals outrun the workers.</param>
readonly record struct DrainResult(double StartDelayMs, double GoneMs);
