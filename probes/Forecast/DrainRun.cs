using Tpwatch.Pool;

namespace Tpwatch.Forecast;

/// <summary>
/// Lets a backlog drain, first in, first out: whoever ends an item takes the next, and at each tick the policy says whether a worker is
/// added. Hill climbing is not in it. Bounded: what is left after that many items goes on at the rate that was reached.
/// </summary>
sealed class DrainRun
{
    /// <summary>Items taken one by one; a fraction of a millisecond.</summary>
    const int MostItems = 2000;

    /// <summary>Ticks of the gate; twenty minutes without an item ending.</summary>
    const int MostTicks = 2400;

    readonly IInjectionPolicy policy;
    readonly DrainCase given;
    readonly PriorityQueue<double, double> free = new();
    PoolState state;
    double lastDequeue;
    double startDelay = double.PositiveInfinity;
    double gone = double.PositiveInfinity;
    long taken;
    int ticks;
    int added;

    DrainRun(IInjectionPolicy policy, DrainCase given)
    {
        (this.policy, this.given) = (policy, given);
        // All at once, since one after the other costs more than in proportion: a large pool has thousands.
        free.EnqueueRange(given.FreeMs.Select(at => (at, at)));

        // Some worker began its item last; before anything is known of that, it was now.
        lastDequeue = given.LastDequeueMs ?? given.FreeMs.Select(at => at - given.RunMs).Where(at => at <= 0).DefaultIfEmpty(0).Max();

        // Where between two ticks it begins makes no difference that a score shows: in the middle.
        state = given.State with
        {
            LastTick = given.At.PlusMs(-GateTiming.AfterHold / 2),
            TickPeriodMs = GateTiming.AfterHold,
            CooperativeDue = given.State.CooperativeDue < given.At ? null : given.State.CooperativeDue,
        };
    }

    public static DrainResult Of(IInjectionPolicy policy, DrainCase given) => new DrainRun(policy, given).Run();

    bool Done => double.IsFinite(gone) && taken > given.Backlog;

    DrainResult Run()
    {
        while (!Done && taken < MostItems && ticks < MostTicks)
        {
            // At max no tick adds any, so there is nothing to walk through while items hang for hours.
            var tick = state.IsAtMax ? null : policy.NextTick(state);
            var tickMs = tick?.At.MsSince(given.At) ?? double.PositiveInfinity;
            if (free.TryPeek(out var next, out _) && next <= tickMs)
            {
                free.Dequeue();
                Take(next);
            }
            else if (tick is { } due)
            {
                Tick(due, tickMs);
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
        if (taken == given.Backlog + 1)
        {
            startDelay = at;
        }

        if (double.IsInfinity(gone) && taken >= given.Backlog + given.ArrivalsPerMs * at)
        {
            gone = at;
        }
    }

    void Tick(PoolTick tick, double at)
    {
        ticks++;
        var adds = given.AtEveryTick || Adds(tick);
        state = GateWalk.After(policy, state, tick, adds ? (state.Goal ?? free.Count) + 1 : null);
        if (adds)
        {
            added++;
            Take(at + GateTiming.InjectionToDequeue);
        }
    }

    bool Adds(PoolTick tick) => policy.Decide(
        state with
        {
            Now = tick.At,
            LastDequeue = given.At.PlusMs(lastDequeue),
            TickBeforeDequeue = null,
            DequeuedUnseen = false,
            Outstanding = true,
        },
        tick).Kind == DecisionKind.Add;

    /// <summary>Too many for one by one, or too slow: the rest at the rate of the workers there are.</summary>
    void GoOnAtTheRate()
    {
        var now = Math.Max(lastDequeue, 0);
        var rate = free.Count / given.RunMs;
        if (double.IsInfinity(startDelay) && rate > 0)
        {
            startDelay = now + Math.Max(0, given.Backlog + 1 - taken) / rate;
        }

        var left = given.Backlog + given.ArrivalsPerMs * now - taken;
        if (double.IsInfinity(gone) && rate > given.ArrivalsPerMs)
        {
            gone = now + Math.Max(0, left) / (rate - given.ArrivalsPerMs);
        }
    }
}
