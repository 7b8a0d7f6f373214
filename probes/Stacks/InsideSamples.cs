using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>Converts a memory reading to the samples that a burst would have of the blocked threads.</summary>
static class InsideSamples
{
    /// <summary>The samples from a memory reading; null if the reading has no stack.</summary>
    public static BurstSamples? Of(InsideReading reading) => reading.Stacks.IsDefaultOrEmpty
        ? null
        : new(reading.At, 0, [.. reading.Stacks.SelectMany(s => s.Threads.Select(t => new SampledStack(t, 1, Running: false, s.Frames)))])
        {
            IsReading = true,
            Locks = reading.Locks.IsDefault ? [] : [.. reading.Locks.Select(l => new LockAwaited(reading.At, l.Thread, l.Owner, l.Owner))],
        };

    /// <summary>
    /// Returns the reading without stacks and locks, which the samples contain, and without terminal control characters in names.
    /// </summary>
    public static InsideReading Rest(InsideReading reading) => reading with
    {
        Stacks = [],
        Locks = [],
        Queue = reading.Queue is { } queue
            ? queue with { Kinds = [.. Given(queue.Kinds).Select(k => k with { Name = UntrustedText.Line(k.Name) })] }
            : null,
        Waits =
        [
            .. Given(reading.Waits).Select(w => w with
            {
                Frame = UntrustedText.Line(w.Frame),
                Call = UntrustedText.Line(w.Call),
                Chain = [.. Given(w.Chain).Select(UntrustedText.Line)],
                Owner = w.Owner is { } owner ? UntrustedText.Line(owner) : null,
            }),
        ],
        Deadlock = reading.Deadlock is { Threads.IsDefault: false } cycle
            ? cycle with { Places = [.. Given(cycle.Places).Select(UntrustedText.Line)] } : null,
        Unknown = [.. Given(reading.Unknown).Select(u => u with { Why = UntrustedText.Line(u.Why) })],
    };

    // A list that is missing in a file has its default value.
    static ImmutableArray<T> Given<T>(ImmutableArray<T> list) => list.IsDefault ? [] : list;
}
