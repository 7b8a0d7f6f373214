using Tpwatch.Reports;

namespace Tpwatch.Ledger.Beats;

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
            var free = Settled(beats, newcomers, i) ? Math.Min(workers, newcomers.Since(i - 1)) : workers;
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
    /// Whether nobody was idle at a heartbeat: items had waited a whole interval before it, in which an idle worker would have taken one,
    /// and none went to sleep since. Who takes an item later has completed one, which is counted, or is a newcomer.
    /// </summary>
    static bool Settled(Recent<Heartbeat> beats, Newcomers newcomers, int index) => index > 0
        && beats[index].Backlog > 0 && beats[index - 1].Backlog > 0
        && beats[index].IntervalMs >= WakesWithinMs && !newcomers.SleptSince(index - 1);
}
