using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>
/// What a simulated pool does about waits for tasks of which it is told: at once up to min + processors or as many as exist, then one
/// worker a step of 25 ms and more, 250 ms at most; and it takes back what it gave.
/// </summary>
sealed class RunningCompensation(PoolWorld world, Agenda agenda, PoolCounts counts, Watcher seen)
{
    const double StepMs = 25;
    const double LongestMs = 250;

    /// <summary>From a wait to the gate's answer.</summary>
    const double GateMs = 0.1;

    Pending pending;
    int added;
    int plan;

    enum Pending
    {
        None,
        WithDelay,
        AtOnce,
    }

    public bool IsPending => pending != Pending.None;

    public required Func<RunningPool> Pool { get; init; }

    int FreeUpTo => Math.Min(counts.Min + world.Processors, counts.Max);

    public void Waits()
    {
        counts.TaskWaits++;
        if (world.Compensates && pending == Pending.None && counts.TargetThreads < counts.Target)
        {
            pending = Pending.WithDelay;
            Plan(GateMs, delayIsOver: false);
        }
    }

    public void Goes()
    {
        counts.TaskWaits--;
        if (world.Compensates && pending != Pending.AtOnce && added > 0 && counts.TargetThreads > counts.Target)
        {
            pending = Pending.AtOnce;
            Plan(GateMs, delayIsOver: false);
        }
    }

    /// <summary>Min was set: whoever waits for a task is counted anew at once; the goal follows by an adjustment.</summary>
    public bool Recount()
    {
        if (!world.Compensates || counts.TaskWaits == 0)
        {
            return false;
        }

        if (pending != Pending.AtOnce)
        {
            pending = Pending.AtOnce;
            Plan(GateMs, delayIsOver: false);
        }

        return true;
    }

    void Plan(double ms, bool delayIsOver)
    {
        var mine = ++plan;
        agenda.In(ms, () =>
        {
            if (mine == plan)
            {
                Adjust(delayIsOver);
            }
        });
    }

    void Adjust(bool delayIsOver)
    {
        pending = Pending.None;
        var target = counts.Target;
        if (counts.TargetThreads > target)
        {
            Move(-Math.Min(counts.TargetThreads - target, added));
            return;
        }

        var free = Math.Min(target, Math.Max(FreeUpTo, Math.Min(counts.Existing, counts.Max)));
        var before = counts.TargetThreads;
        if (before < free || (before < target && delayIsOver))
        {
            Move(before < free ? free - before : 1);
            if (counts.Working >= before && counts.Requested)
            {
                Pool().MaybeAdd(RunningGate.Thread);
            }
        }

        if (counts.TargetThreads < target)
        {
            pending = Pending.WithDelay;
            var sets = 1 + Math.Max(0, counts.TargetThreads - FreeUpTo) / world.Processors;
            Plan(Math.Min(sets * StepMs, LongestMs), delayIsOver: true);
        }
    }

    void Move(int by)
    {
        if (by == 0)
        {
            return;
        }

        added += by;
        counts.TargetThreads += by;
        var targetThreads = counts.TargetThreads;
        seen.Sees(at => new TargetThreadsChanged(at, RunningGate.Thread, targetThreads, AdjustmentReason.CooperativeBlocking));
    }
}
