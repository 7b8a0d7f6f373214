using Tpwatch.Attach.Clock;
using Tpwatch.Attach.Processes;
using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Attach.Running;

/// <summary>
/// Looks at the target's process from outside, on a thread of its own: ten times a second whether it is stopped, once a second how long its
/// threads waited for a processor, whether its control group was throttled, and how full memory is. Publishes only what says something new.
/// </summary>
sealed class ProcessSampler : IDisposable
{
    // A stop is known to within so long; a look costs the reading of one small file.
    static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);

    // The sums cost a file a thread.
    const double BetweenSumsMs = 1000;

    readonly ReadingQueue<ProcessReading> readings = new(reading => reading.At);
    readonly RunState state;
    readonly ProcessSums sums;
    readonly SamplingThread thread;

    ProcessSampler(Machine machine, int pid)
    {
        var group = ControlGroup.Of(machine, pid);
        state = new RunState(machine.Tree, pid, group);
        sums = new ProcessSums(new ThreadWaits(machine.Tree, pid), group, new MemoryUse(machine, group));
        thread = new SamplingThread("tpwatch process", Run);
    }

    /// <summary>Null on a machine that does not show it.</summary>
    public static ProcessSampler? Start(Machine machine, int pid) => OperatingSystem.IsLinux() ? new ProcessSampler(machine, pid) : null;

    /// <summary>Whether the process was stopped at the last look.</summary>
    public bool IsStopped => state.Stopped;

    public bool TryTake(EventTime until, out ProcessReading reading) => readings.TryTake(until, out reading);

    public void Dispose() => thread.Dispose();

    void Run(WaitHandle stop)
    {
        var lastSums = Now();
        sums.Take(lastSums);
        readings.Put(sums.Reading(Now(), state.Look(Now())));
        while (!stop.WaitOne(BetweenLooks))
        {
            var span = state.Look(Now());
            if (span.Changed)
            {
                readings.Put(sums.Reading(Now(), span));
            }
            else if (Now().MsSince(lastSums) >= BetweenSumsMs)
            {
                lastSums = Now();
                sums.Take(lastSums);
                if (span.Stopped || sums.SaysSomethingNew)
                {
                    readings.Put(sums.Reading(Now(), span));
                }
            }
        }
    }

    static EventTime Now() => new(CoarseClock.Fine());
}
