using System.Collections.Concurrent;
using Tpwatch.Attach.Clock;
using Tpwatch.Attach.Processes;

namespace Tpwatch.Attach.Running;

/// <summary>
/// Looks at the target's process from outside, on a thread of its own: ten times a second whether it is stopped, once a second how long its
/// threads waited for a processor, whether its control group was throttled, and how full memory is. Publishes only what says something new.
/// </summary>
internal sealed class ProcessSampler : IDisposable
{
    // When nobody takes readings (the target is stopped, no event comes) the oldest go: an hour's worth stays.
    const int MostReadings = 3600;

    // A stop is known to within so long; a look costs the reading of one small file.
    static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);

    // The sums cost a file a thread.
    const double BetweenSumsMs = 1000;

    readonly ConcurrentQueue<ProcessReading> readings = new();
    readonly ManualResetEvent stop = new(initialState: false);
    readonly RunState state;
    readonly ProcessSums sums;
    readonly Thread thread;

    ProcessSampler(Machine machine, int pid)
    {
        ControlGroup group = ControlGroup.Of(machine, pid);
        state = new RunState(machine.Tree, pid, group);
        sums = new ProcessSums(new ThreadWaits(machine.Tree, pid), group, new MemoryUse(machine, group));
        thread = new Thread(Run) { IsBackground = true, Name = "tpwatch process" };
        thread.Start();
    }

    /// <summary>Null on a machine that does not show it.</summary>
    public static ProcessSampler? Start(Machine machine, int pid) => OperatingSystem.IsLinux() ? new ProcessSampler(machine, pid) : null;

    public bool TryTake(EventTime until, out ProcessReading reading)
    {
        if (readings.TryPeek(out reading) && reading.At <= until)
        {
            return readings.TryDequeue(out reading);
        }

        reading = default;
        return false;
    }

    public void Dispose()
    {
        stop.Set();

        // It reads a few files at most; should it hang nevertheless, it is a background thread.
        if (thread.Join(TimeSpan.FromSeconds(1)))
        {
            stop.Dispose();
        }
    }

    void Run()
    {
        EventTime lastSums = Now();
        sums.Take(lastSums);
        Publish(sums.Reading(Now(), state.Look(Now())));
        while (!stop.WaitOne(BetweenLooks))
        {
            StopSpan span = state.Look(Now());
            if (span.Changed)
            {
                Publish(sums.Reading(Now(), span));
            }
            else if (Now().MsSince(lastSums) >= BetweenSumsMs)
            {
                lastSums = Now();
                sums.Take(lastSums);
                if (span.Stopped || sums.SaysSomethingNew)
                {
                    Publish(sums.Reading(Now(), span));
                }
            }
        }
    }

    void Publish(ProcessReading reading)
    {
        readings.Enqueue(reading);
        while (readings.Count > MostReadings)
        {
            readings.TryDequeue(out _);
        }
    }

    static EventTime Now() => new(CoarseClock.Fine());
}
