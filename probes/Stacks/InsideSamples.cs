using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>From a reading of the target's memory to what a burst would have seen of the threads that stood still.</summary>
static class InsideSamples
{
    /// <summary>The same; null where no stack is known.</summary>
    public static BurstSamples? Of(InsideReading reading) => reading.Stacks.IsDefaultOrEmpty
        ? null
        : new(reading.At, 0, [.. reading.Stacks.SelectMany(s => s.Threads.Select(t => new SampledStack(t, 1, Running: false, s.Frames)))])
        {
            IsReading = true,
            Locks = reading.Locks.IsDefault ? [] : [.. reading.Locks.Select(l => new LockAwaited(reading.At, l.Thread, l.Owner, l.Owner))],
        };

    /// <summary>The reading without its stacks and locks, which its samples have; with names that steer no terminal.</summary>
    public static InsideReading Rest(InsideReading reading) => reading with
    {
        Stacks = [],
        Locks = [],
        Queue = reading.Queue is { } queue
            ? queue with { Kinds = [.. Given(queue.Kinds).Select(k => k with { Name = ForeignText.Line(k.Name) })] }
            : null,
        Waits =
        [
            .. Given(reading.Waits).Select(w => w with
            {
                Frame = ForeignText.Line(w.Frame),
                Call = ForeignText.Line(w.Call),
                Chain = [.. Given(w.Chain).Select(ForeignText.Line)],
                Owner = w.Owner is { } owner ? ForeignText.Line(owner) : null,
            }),
        ],
        Deadlock = reading.Deadlock is { Threads.IsDefault: false } cycle
            ? cycle with { Places = [.. Given(cycle.Places).Select(ForeignText.Line)] } : null,
        Unknown = [.. Given(reading.Unknown).Select(u => u with { Why = ForeignText.Line(u.Why) })],
    };

    // What a file lacks is no list at all.
    static ImmutableArray<T> Given<T>(ImmutableArray<T> list) => list.IsDefault ? [] : list;
}
