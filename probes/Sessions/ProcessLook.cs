using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// One process as it is seen from outside; whoever looks decides how often. For one thread, but for what is taken from it. Publishes only
/// what says something new.
/// </summary>
sealed class ProcessLook : IDisposable
{
    readonly ReadingQueue<ProcessReading> readings = new(reading => reading.At);
    readonly RunState state;
    readonly ProcessSums sums;
    readonly Neighbours neighbours;
    readonly int pid;
    EventTime? lastSums;
    ImmutableArray<Neighbour> others;

    /// <summary>Of that process; <paramref name="neighbours"/> may be asked by others, too.</summary>
    public ProcessLook(Machine machine, int pid, Neighbours neighbours)
    {
        (this.neighbours, this.pid) = (neighbours, pid);
        var group = ControlGroup.Of(machine, pid);
        state = new RunState(machine.Tree, pid, group);
        sums = new ProcessSums(new ThreadWaits(machine.Tree, pid), group, new MemoryUse(machine, group));
    }

    /// <summary>Whether the process was stopped at the last look.</summary>
    public bool IsStopped => state.Stopped;

    public bool TryTake(EventTime until, out ProcessReading reading) => readings.TryTake(until, out reading);

    public void Dispose() => state.Dispose();

    /// <summary>Looks whether it is stopped, and takes the sums, which cost a file a thread, when the last are so old.</summary>
    public void Look(Func<EventTime> now, double betweenSumsMs)
    {
        if (lastSums is not { } last)
        {
            Sum(now());
            readings.Put(sums.Reading(now(), state.Look(now())));
            return;
        }

        var span = state.Look(now());
        if (span.Changed)
        {
            readings.Put(sums.Reading(now(), span) with { Others = others });
        }
        else if (now().MsSince(last) >= betweenSumsMs)
        {
            Sum(now());
            if (span.Stopped || sums.SaysSomethingNew)
            {
                readings.Put(sums.Reading(now(), span) with { Others = others });
            }
        }
    }

    /// <summary>
    /// Looks a last time, and takes the sums however old the last are: a short session would else miss most of its own time.
    /// </summary>
    public void Conclude(Func<EventTime> now)
    {
        Sum(now());
        var span = state.Look(now());
        if (span.Stopped || span.Changed || sums.SaysSomethingNew)
        {
            readings.Put(sums.Reading(now(), span) with { Others = others });
        }
    }

    void Sum(EventTime at)
    {
        lastSums = at;
        sums.Take(at);
        others = sums.IsCrowded ? neighbours.Look(at, pid) : default;
    }
}
