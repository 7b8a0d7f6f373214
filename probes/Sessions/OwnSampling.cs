using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// The sampling of one target, on one thread: a wake-up costs more than what is looked at, so the process is looked at when the clock's
/// sampler has woken anyway.
/// </summary>
sealed class OwnSampling : ISampling
{
    /// <summary>
    /// At least: a stop is known to within three of the clock's sleeps, 0.12 s, and to within one, 0.4 s, while nothing waits.
    /// </summary>
    static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);

    /// <summary>The sums cost a file a thread.</summary>
    const double BetweenSumsMs = 1000;

    /// <summary>While nothing waits they explain nothing: what is taken then is only where the next sums begin.</summary>
    const double BetweenSumsAtRestMs = 4000;

    readonly ClockSampler? clock = ClockSampler.Create();
    readonly ProcessLook? process;
    readonly SamplingThread? thread;
    EventTime lastLook;
    volatile bool atRest;

    /// <summary>Of that process, from now on; of nothing on a machine that does not show its processes.</summary>
    public OwnSampling(Machine machine, int pid)
    {
        if (OperatingSystem.IsLinux())
        {
            process = new ProcessLook(machine, pid, new Neighbours(machine));
            thread = new SamplingThread("tpwatch sampling", Run);
        }
    }

    public bool? IsStopped => process?.IsStopped;

    public void ItemsWait(bool now)
    {
        atRest = !now;
        clock?.ItemsWait(now);
    }

    public bool TryTake(EventTime until, out ClockReading reading)
    {
        reading = default;
        return clock?.TryTake(until, out reading) == true;
    }

    public bool TryTake(EventTime until, out ProcessReading reading)
    {
        reading = default;
        return process?.TryTake(until, out reading) == true;
    }

    public void Conclude() => thread?.Dispose();

    public void Dispose()
    {
        Conclude();
        process?.Dispose();
    }

    void Run(WaitHandle stop)
    {
        Look();
        clock?.Run(stop, LookNowAndThen);
        while (!stop.WaitOne(BetweenLooks))
        {
            Look();
        }

        process!.Conclude(Now);
    }

    void LookNowAndThen()
    {
        if (Now().MsSince(lastLook) >= BetweenLooks.TotalMilliseconds)
        {
            Look();
        }
    }

    void Look()
    {
        lastLook = Now();
        process!.Look(Now, atRest ? BetweenSumsAtRestMs : BetweenSumsMs);
    }

    static EventTime Now() => new(CoarseClock.Fine());
}
