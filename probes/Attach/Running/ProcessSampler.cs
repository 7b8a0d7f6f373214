using Tpwatch.Attach.Clock;
using Tpwatch.Attach.Processes;
using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Attach.Running;

/// <summary>
/// Looks at the target's process from outside, on a thread of its own: ten times a second whether it is stopped, once a second how long its
/// threads waited for a processor, whether its control group was throttled, and how full memory is.
/// </summary>
sealed class ProcessSampler : IDisposable
{
    // A stop is known to within so long; a look costs the reading of one small file.
    static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);

    // The sums cost a file a thread.
    const double BetweenSumsMs = 1000;

    readonly ProcessLook look;
    readonly SamplingThread thread;

    ProcessSampler(Machine machine, int pid)
    {
        look = new ProcessLook(machine, pid, new Neighbours(machine));
        thread = new SamplingThread("tpwatch process", Run);
    }

    /// <summary>Null on a machine that does not show it.</summary>
    public static ProcessSampler? Start(Machine machine, int pid) => OperatingSystem.IsLinux() ? new ProcessSampler(machine, pid) : null;

    /// <summary>Whether the process was stopped at the last look.</summary>
    public bool IsStopped => look.IsStopped;

    public bool TryTake(EventTime until, out ProcessReading reading) => look.TryTake(until, out reading);

    public void Dispose() => thread.Dispose();

    void Run(WaitHandle stop)
    {
        do
        {
            look.Look(Now, BetweenSumsMs);
        }
        while (!stop.WaitOne(BetweenLooks));
    }

    static EventTime Now() => new(CoarseClock.Fine());
}
