using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>
/// The gate thread of a simulated pool: looks every 500 ms, adds one worker when a request is open and the last dequeue lies more than 500
/// ms back (with busy processors: as many seconds as the goal), and sleeps after two looks since the last request.
/// </summary>
sealed class RunningGate(PoolWorld world, Agenda agenda, PoolCounts counts, Watcher seen)
{
    public const int Thread = 900;

    const double PeriodMs = 500;
    const double StarvedMs = 500;
    const double StarvedBusyMs = 1000;
    const double Busy = 0.8;

    /// <summary>What waking up takes, and what a look takes that waits for a new thread.</summary>
    const double WakeUpMs = 0.29;

    const double NewThreadMs = 0.56;

    /// <summary>From the gate's creation to its first step.</summary>
    const double BirthMs = 0.3;

    const int SleepsAfter = 2;

    bool born;
    bool awake;
    int looks;
    int idleLooks;
    double cpuBeforeMs;
    double lookedMs;

    public required RunningPool Pool { get; init; }

    public required RunningCompensation Compensation { get; init; }

    public required SharedProcessors Processors { get; init; }

    public void Wake(int requester)
    {
        idleLooks = 0;
        if (awake)
        {
            return;
        }

        awake = true;
        (cpuBeforeMs, lookedMs) = (Processors.UsedMs, agenda.NowMs);
        if (!born)
        {
            born = true;
            seen.Sees(at => new ThreadCreated(at, requester, Thread));
            agenda.In(BirthMs, () => seen.Sees(at => new ThreadBegan(at, Thread, Thread)));
            agenda.In(BirthMs + PeriodMs + WakeUpMs, Look);
        }
        else
        {
            agenda.In(PeriodMs + WakeUpMs, Look);
        }
    }

    void Look()
    {
        var cpu = Cpu();
        var created = IsStarving(cpu) && Inject();
        idleLooks = counts.Requested || Compensation.IsPending ? 0 : idleLooks + 1;
        if (idleLooks >= SleepsAfter)
        {
            awake = false;
            return;
        }

        agenda.In(PeriodMs + WakeUpMs + Noise() + (created ? NewThreadMs : 0), Look);
    }

    bool IsStarving(double cpu) => !Compensation.IsPending && counts.Requested
        && Clock(agenda.NowMs) - Clock(counts.LastDequeueMs) > (cpu < Busy ? StarvedMs : StarvedBusyMs * counts.TargetThreads);

    bool Inject()
    {
        if (counts.Working >= counts.Max || counts.Working < counts.TargetThreads)
        {
            return false;
        }

        counts.TargetThreads = counts.Working + 1;
        var targetThreads = counts.TargetThreads;
        seen.Sees(at => new TargetThreadsChanged(at, Thread, targetThreads, AdjustmentReason.Starvation));
        return Pool.MaybeAdd(Thread);
    }

    double Cpu()
    {
        var (used, elapsed) = (Processors.UsedMs - cpuBeforeMs, agenda.NowMs - lookedMs);
        (cpuBeforeMs, lookedMs) = (Processors.UsedMs, agenda.NowMs);
        return used / (elapsed * world.Processors);
    }

    double Clock(double ms) => Math.Floor(ms / world.ClockStepMs) * world.ClockStepMs;

    // Any numbers that differ from look to look do.
    double Noise() => world.NoiseMs * (looks++ * 617 % 1000) / 1000;
}
