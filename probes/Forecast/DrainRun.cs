using Tpwatch.Pool;

namespace Tpwatch.Forecast;

/// <summary>
/// Simulates how a queue drains, first in, first out: a worker thread that completes an item takes the next, and at each gate check the
/// policy decides whether a worker thread is added. Hill climbing is not simulated. Bounded: after <see cref="MostItems"/> items the rest
/// drains at the rate reached.
/// </summary>
sealed class DrainRun
{
    /// <summary>The most items simulated one by one; takes a fraction of a millisecond.</summary>
    const int MostItems = 2000;

    /// <summary>The most gate checks simulated: twenty minutes without a completed item.</summary>
    const int MostTicks = 2400;

    readonly IInjectionPolicy policy;
    readonly DrainCase given;
    readonly PriorityQueue<double, double> free = new();
    PoolState state;
    double lastDequeue;
    double startDelay = double.PositiveInfinity;
    double gone = double.PositiveInfinity;
    long taken;
    int checks;
    int added;

    DrainRun(IInjectionPolicy policy, DrainCase given)
    {
        (this.policy, this.given) = (policy, given);
        // EnqueueRange adds all at once: single calls cost more than linear time, and a large pool has thousands of worker threads.
        free.EnqueueRange(given.FreeMs.Select(at => (at, at)));

        // Some worker thread took its item last. Without such information, the time of the last dequeue is the start.
        lastDequeue = given.LastDequeueMs ?? given.FreeMs.Select(at => at - given.RunMs).Where(at => at <= 0).DefaultIfEmpty(0).Max();

        // Where the start lies between two gate checks makes no difference that the scores show, so it lies in the middle.
        state = given.State with
        {
            LastCheck = given.At.PlusMs(-GateTiming.AfterHold / 2),
            CheckPeriodMs = GateTiming.AfterHold,
            CooperativeDue = given.State.CooperativeDue < given.At ? null : given.State.CooperativeDue,
        };
    }

    public static DrainResult Of(IInjectionPolicy policy, DrainCase given) => new DrainRun(policy, given).Run();

    bool Done => double.IsFinite(gone) && taken > given.QueueLength;

    DrainResult Run()
    {
        while (!Done && taken < MostItems && checks < MostTicks)
        {
            // At MaxThreads no gate check adds a thread, so there are no checks to simulate while items hang for hours.
            var check = state.IsAtMax ? null : policy.NextCheck(state);
            var checkMs = check?.At.MsSince(given.At) ?? double.PositiveInfinity;
            if (free.TryPeek(out var next, out _) && next <= checkMs)
            {
                free.Dequeue();
                Take(next);
            }
            else if (check is { } due)
            {
                Tick(due, checkMs);
            }
            else
            {
                break;
            }
        }

        GoOnAtTheRate();
        return new(startDelay, gone, added);
    }

    void Take(double at)
    {
        free.Enqueue(at + given.RunMs, at + given.RunMs);
        taken++;
        lastDequeue = at;
        if (taken == given.QueueLength + 1)
        {
            startDelay = at;
        }

        if (double.IsInfinity(gone) && taken >= given.QueueLength + given.ArrivalsPerMs * at)
        {
            gone = at;
        }
    }

    void Tick(PoolCheck check, double at)
    {
        checks++;
        var adds = given.AtEveryCheck || Adds(check);
        state = GateWalk.After(policy, state, check, adds ? (state.TargetThreads ?? free.Count) + 1 : null);
        if (adds)
        {
            added++;
            Take(at + GateTiming.InjectionToDequeue);
        }
    }

    bool Adds(PoolCheck check) => policy.Decide(
        state with
        {
            Now = check.At,
            LastDequeue = given.At.PlusMs(lastDequeue),
            CheckBeforeDequeue = null,
            DequeuedUnseen = false,
            Outstanding = true,
        },
        check).Kind == DecisionKind.Add;

    /// <summary>
    /// Drains the rest at the rate of the existing worker threads when there are too many items to simulate or they are too slow.
    /// </summary>
    void GoOnAtTheRate()
    {
        var now = Math.Max(lastDequeue, 0);
        var rate = free.Count / given.RunMs;
        if (double.IsInfinity(startDelay) && rate > 0)
        {
            startDelay = now + Math.Max(0, given.QueueLength + 1 - taken) / rate;
        }

        var left = given.QueueLength + given.ArrivalsPerMs * now - taken;
        if (double.IsInfinity(gone) && rate > given.ArrivalsPerMs)
        {
            gone = now + Math.Max(0, left) / (rate - given.ArrivalsPerMs);
        }
    }
}
