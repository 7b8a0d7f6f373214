using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// How long some item has waited at least: of the q items queued at an earlier heartbeat at most c completed + n workers have been dequeued
/// since, so while c + n is less than q one of them still waits. Where nobody was idle at that heartbeat, n are only the workers that came
/// since. A proven lower bound as long as nothing leaves the queue uncounted, as items do that a waiting worker runs inline; where the
/// newest backlog shows that some did, nothing is proven across it.
/// </summary>
sealed class ProvenWait
{
    /// <summary>An idle worker that is asked for runs long before that, on loaded processors too.</summary>
    const double WakesWithinMs = 200;

    /// <summary>
    /// Three heartbeats of a second and a half: of what an item shows that waited longer ago, another may have found the queue empty.
    /// </summary>
    const double SettlesWithinMs = 3500;

    /// <summary>The heartbeat at which items were missing from the queue that nothing counted had taken.</summary>
    EventTime? uncounted;

    /// <summary>The longest queue so far: once as many have completed, none that waited before is left.</summary>
    long longest;

    /// <summary>Nothing is proven any more across what came before.</summary>
    public void Forget() => (uncounted, longest) = (null, 0);

    /// <summary>The bound at the newest heartbeat, which has just been added; milliseconds.</summary>
    public double Ms(Recent<Heartbeat> beats, Newcomers newcomers)
    {
        var last = beats[^1];
        longest = Math.Max(longest, last.Backlog ?? 0);
        if (last.Workers is not { } workers)
        {
            return 0;
        }

        var completed = 0.0;
        var best = 0.0;
        for (var i = beats.Count - 2;
            i >= 0 && completed < longest && !(beats[i].At < uncounted) && beats[i + 1].Completed is { } step; i--)
        {
            completed += step;
            var wait = last.At.MsSince(beats[i].At);
            // A newcomer that started just before a heartbeat takes its item just after it.
            var free = SettledSince(beats, newcomers, i) is { } since ? Math.Min(workers, newcomers.Since(since)) : workers;
            if (beats[i].Backlog is { } queued && queued - (completed + free + completed / wait * BeatLog.MarginMs) is > 0 and var left)
            {
                if (last.Backlog < left)
                {
                    uncounted = last.At;
                    return 0;
                }

                best = wait;
            }
        }

        return best;
    }

    /// <summary>
    /// Since which heartbeat nobody was idle, as one shows at which items wait: at that earlier one items waited too, an idle worker would
    /// have taken one between the two, and none went to sleep since. Who takes an item later has completed one, which is counted, or is a
    /// newcomer. Null where nothing shows it.
    /// </summary>
    public static int? SettledSince(Recent<Heartbeat> beats, Newcomers newcomers, int index)
    {
        for (var i = index - 1; i >= 0 && beats[index].Backlog > 0 && !newcomers.SleptSince(i)
            && beats[index].At.MsSince(beats[i].At) <= SettlesWithinMs; i--)
        {
            if (beats[i].Backlog > 0 && beats[index].At.MsSince(beats[i].At) >= WakesWithinMs)
            {
                return i;
            }
        }

        return null;
    }
}
