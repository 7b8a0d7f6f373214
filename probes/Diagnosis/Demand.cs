using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// What the waiting work asks of the pool, by Little's law over the heartbeats between which items waited: every worker was busy then, so
/// time of workers over completions is what an item holds its worker for, and arrivals times that are the workers it takes.
/// </summary>
/// <param name="SpanMs">Time that was looked at, milliseconds.</param>
/// <param name="BusyMs">Time of all workers in it, milliseconds.</param>
/// <param name="Completed">Items that ended in it.</param>
/// <param name="Arrived">Items that came in it until the backlog was largest; thereafter the pool only works it off.</param>
sealed record Demand(double SpanMs, double BusyMs, long Completed, long Arrived)
{
    /// <summary>A reading this much later than its interval says has another one missing before it.</summary>
    const double MissingReadingMs = 500;

    /// <summary>Mean time that an item holds its worker, milliseconds; null when none ended.</summary>
    public double? RunMs => Completed > 0 ? BusyMs / Completed : null;

    /// <summary>Twice what the runtime's own detector takes for a pool that stands still.</summary>
    public const double LongMs = 1000;

    /// <summary>The same where it is well founded, and so long that it is a finding; a report tells no other mean beside it.</summary>
    public double? LongRunMs => IsFounded && RunMs is >= LongMs and var ms ? ms : null;

    /// <summary>Mean number of workers.</summary>
    public double Workers => SpanMs > 0 ? BusyMs / SpanMs : 0;

    /// <summary>Items that came a second.</summary>
    public double ArrivedPerSecond => GrowingMs > 0 ? Arrived * 1000 / GrowingMs : 0;

    /// <summary>
    /// Whether each worker ended two items on average: below that, what was under way at both ends outweighs what was counted.
    /// </summary>
    public bool IsFounded => Completed > 0 && Completed >= 2 * Workers;

    /// <summary>Workers that keep up with the arrivals; null when that cannot be said.</summary>
    public int? Needed => IsFounded && RunMs is { } run ? (int)Math.Ceiling(Math.Min(ArrivedPerSecond * run / 1000, short.MaxValue)) : null;

    double GrowingMs { get; init; }

    public static Demand Of(PoolReport report)
    {
        var (beats, waits) = (report.Timeline.Heartbeats, new Stretches(Waits.ForWorkers(report)));
        var sum = new Demand(0, 0, 0, 0);
        var largest = beats.Select(b => b.Backlog).Max();
        var growing = true;
        for (var i = 1; i < beats.Length; i++)
        {
            growing &= beats[i - 1].Backlog != largest || sum.GrowingMs <= 0;
            if (waits.Touch(beats[i - 1].At, beats[i].At))
            {
                sum = sum.And(beats[i - 1], beats[i], growing);
            }
        }

        return sum;
    }

    /// <summary>
    /// Items that came between two heartbeats at both of which some waited, so that all workers were busy; null when not known.
    /// </summary>
    public static long? Arrivals(Heartbeat from, Heartbeat to) => to.Backlog - from.Backlog + to.Completed + (to.Workers - from.Workers);

    Demand And(Heartbeat from, Heartbeat to, bool growing)
    {
        if (from is not { Backlog: > 0, Workers: { } before }
            || to is not { Backlog: > 0, Workers: { } after, Completed: { } done, IntervalMs: { } interval }
            || to.At.MsSince(from.At) - interval > MissingReadingMs)
        {
            return this;
        }

        return new(SpanMs + interval, BusyMs + (before + after) / 2.0 * interval,
            Completed + done, Arrived + (growing ? Math.Max(0, Arrivals(from, to) ?? 0) : 0))
        {
            GrowingMs = GrowingMs + (growing ? interval : 0),
        };
    }
}
