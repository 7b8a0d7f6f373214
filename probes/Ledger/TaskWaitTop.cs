using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Rises of the goal for task waits that brought no thread. To as many threads as exist it rises at once, and from there by one after 250
/// ms at most, for as long as more wait than are compensated (PortableThreadPool.Blocking). Where it stays there, either just as many wait
/// as are compensated, or max is reached. When that comes again and again, after falls between, it is no chance.
/// </summary>
sealed class TaskWaitTop
{
    /// <summary>Twice the longest delay of a step, MaxDelayMs of the runtime: the gate's thread may be late.</summary>
    const double NextStepMs = 2 * 250;

    /// <summary>Once or twice just as many may wait as are compensated.</summary>
    const int StandsThatProve = 3;

    /// <summary>What shows itself at least so often holds for now: three heartbeats.</summary>
    const double RecentMs = 3000;

    int stands;
    EventTime? since;
    EventTime? left;

    /// <summary>The goal was adjusted while so many workers existed, the most there ever were.</summary>
    public void Adjusted(in WorkerGoalChanged fact, bool rises, int? existing, int highest)
    {
        if (Stands(fact.At))
        {
            (stands, left) = (stands + 1, fact.At);
        }

        since = rises && fact.Reason == AdjustmentReason.CooperativeBlocking && fact.Goal == existing && fact.Goal == highest
            ? fact.At : null;
    }

    /// <summary>Whether the number of threads to which it rises is max, as far as can be seen by then.</summary>
    public bool IsMaxAt(EventTime now) => Stands(now) ? stands + 1 >= StandsThatProve
        : stands >= StandsThatProve && now.MsSince(left!.Value) <= RecentMs;

    /// <summary>More threads are wanted, or nobody knows: what was seen shows nothing any more.</summary>
    public void Forget() => (stands, since, left) = (0, null, null);

    bool Stands(EventTime at) => since is { } from && at.MsSince(from) >= NextStepMs;
}
