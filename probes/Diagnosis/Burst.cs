using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Much work that came at once onto a quiet pool, and had to wait for workers.</summary>
/// <param name="From">The last heartbeat at which nothing waited.</param>
/// <param name="To">When nothing waited any more, or the newest heartbeat.</param>
/// <param name="Over">Whether that was seen.</param>
/// <param name="Arrived">The heartbeat by which all of its items had come.</param>
/// <param name="Items">
/// Items that came at once, about. Workers that existed before may have been idle and taken one, or may have held one all the while: they
/// count as none, since a pool whose workers are held is not idle.
/// </param>
/// <param name="Wanted">Workers that all of them would take, beside what was under way before.</param>
/// <param name="Before">Workers that existed before.</param>
/// <param name="AtOnce">Workers at the first heartbeat after it.</param>
/// <param name="Decided">Whether it was seen that little came after it; false while that may still be a load that only begins.</param>
sealed record Burst(
    EventTime From, EventTime To, bool Over, EventTime Arrived, long Items, long Wanted, int Before, int AtOnce, bool Decided)
{
    /// <summary>
    /// A quiet pool may complete a few items, such as timers and health checks: at most this share of what then comes at once.
    /// </summary>
    const double IdleShare = 0.1;

    /// <summary>What still comes while the burst is worked off, as a share of it, at most; more of it is a load and no burst.</summary>
    const double AfterShare = 0.5;

    /// <summary>So many heartbeats after the one that the burst may be astride show whether more comes.</summary>
    const int BeatsAfter = 2;

    /// <summary>
    /// Above min by so much: what came at once is counted to within a worker or two, and what min absorbs is no burst. Above the workers
    /// from before as well: fewer items that wait show that those were held, rather than that much came.
    /// </summary>
    const double AboveMin = 1.25;

    /// <summary>Every burst that made items wait for workers, oldest first.</summary>
    public static ImmutableArray<Burst> In(PoolReport report)
    {
        var beats = report.Timeline.Heartbeats;
        var all = Enumerable.Range(1, Math.Max(0, beats.Length - 1)).Select(i => At(beats, i)).OfType<Burst>();
        var min = report.Timeline.Target.MinWorkers.Value ?? report.Timeline.Target.Processors.Value ?? 0;
        return
        [
            .. all.Where(b => b.Items > Math.Max(min, b.Before) * AboveMin
                && Waits.ForWorkers(report).Any(e => e.Span.Touches(new(b.From, b.To)))),
        ];
    }

    /// <summary>
    /// What is left of a burst that was met in its middle: items waited at the first heartbeat already, and few have come since. Its items
    /// are those that ran or waited then; there may have been more. Null where there is none, or more comes steadily.
    /// </summary>
    public static Burst? MetLate(PoolReport report)
    {
        var beats = report.Timeline.Heartbeats;
        if (beats.IsEmpty || beats[0] is not { Backlog: > 0 and { } waiting, Workers: { } workers })
        {
            return null;
        }

        var (last, after) = Follow(beats, 0, from: 0);
        var (items, over) = (waiting + workers, beats[last].Backlog == 0);
        return after <= items * AfterShare && (over || last > BeatsAfter)
            ? new(beats[0].At, beats[last].At, over, beats[0].At, items, items, workers, workers, Decided: true)
            : null;
    }

    /// <summary>
    /// The heartbeat at which nothing waited any more, or the newest, and the items that came after <paramref name="from"/>.
    /// </summary>
    static (int Last, long Arrived) Follow(ImmutableArray<Heartbeat> beats, int first, int from)
    {
        var last = first;
        long arrived = 0;
        while (last + 1 < beats.Length && beats[last].Backlog > 0)
        {
            last++;
            arrived += last > from ? Math.Max(0, Demand.Arrivals(beats[last - 1], beats[last]) ?? 0) : 0;
        }

        return (last, arrived);
    }

    static Burst? At(ImmutableArray<Heartbeat> beats, int first)
    {
        var (idle, beat) = (beats[first - 1], beats[first]);
        if (idle is not { Backlog: 0 } || beat is not { Backlog: > 0 and { } waiting, Workers: { } workers, Completed: { } done })
        {
            return null;
        }

        // It may have come astride the heartbeat.
        var astride = first + 1 < beats.Length ? Math.Max(0, Demand.Arrivals(beat, beats[first + 1]) ?? 0) : 0;
        var before = Math.Min(idle.Workers ?? 0, workers);
        var wanted = waiting + workers + done + astride;
        var items = wanted - before;
        var (last, after) = Follow(beats, first, from: first + 1);
        var over = beats[last].Backlog == 0;
        var arrived = astride > items * IdleShare ? beats[first + 1].At : beat.At;
        return IsQuiet(idle, items) && after <= items * AfterShare
            ? new(idle.At, beats[last].At, over, arrived, items, wanted, before, workers, over || last - first > BeatsAfter) : null;
    }

    // The very first reading counts no completions; a pool without a worker was idle all the same.
    static bool IsQuiet(Heartbeat beat, long items) => beat.Completed is { } done ? done <= items * IdleShare : beat.Workers == 0;
}
