using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>
/// Which worker threads hold the same item at two looks. A thread at the same place may run the next item of that kind; but fewer items
/// ended between the looks than there are such threads, so the rest have ended none.
/// </summary>
static class Unending
{
    /// <summary>Bursts begin 5 s apart (BurstPace); the first sample of each comes up to half a second later.</summary>
    const double ApartMs = 4500;

    /// <summary>
    /// The pair of looks that proves most, by who was where at each, oldest look first; null where no pair proves anything.
    /// </summary>
    public static UnendingItems? Of(PoolReport report, (EventTime At, HashSet<(int Thread, string Place)> Held)[] looks)
    {
        // What completes after the newest heartbeat is not counted yet.
        var counted = looks.Where(look => report.Timeline.Heartbeats is [.., var beat] && beat.At >= look.At).ToArray();
        if (counted is not [.., var last] || report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true })
        {
            return null;
        }

        return counted.Where(look => last.At.MsSince(look.At) >= ApartMs)
            .Select(look => (look, Stay: look.Held.Count(last.Held.Contains), Ended: Ended(report, look.At, last.At)))
            .Where(pair => pair.Ended < pair.Stay)
            .Select(pair => (UnendingItems?)new UnendingItems(
                new(pair.look.At, last.At), pair.look.Held.Count, (int)(pair.Stay - pair.Ended!.Value)))
            .MaxBy(pair => pair!.Value.Threads);
    }

    // A heartbeat counts what ended since the one before; null where they do not cover all of the time between.
    static long? Ended(PoolReport report, EventTime from, EventTime to)
    {
        var (ended, covered) = (0L, from);
        foreach (var beat in report.Timeline.Heartbeats.Where(b => b.At > from))
        {
            if (beat is not { Completed: { } completed, IntervalMs: { } interval } || beat.At.PlusMs(-interval).MsSince(covered) > 1)
            {
                return null;
            }

            (ended, covered) = (ended + completed, beat.At);
            if (covered >= to)
            {
                return ended;
            }
        }

        return null;
    }
}
