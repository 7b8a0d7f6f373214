using System.Collections.Immutable;
using Tpwatch.Core;
using Tpwatch.Events;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>The same life seen by a poorer capture.</summary>
static class LessKnown
{
    /// <summary>Everything between two moments is lost, and the next event tells it.</summary>
    public static ImmutableArray<object> Lossy(ImmutableArray<object> facts, EventTime from, EventTime to) => Without(
        facts, fact => FactData.At(fact) >= from && FactData.At(fact) <= to && fact is not StreamOpened,
        (before, next) => new EventsLost(FactData.At(next), before));

    /// <summary>Heartbeats do not come; the next one counts what they would have counted.</summary>
    public static ImmutableArray<object> Thinned(ImmutableArray<object> facts, Func<int, bool> drops)
    {
        var sample = 0;
        return Without(facts, fact => fact is CountersRead && drops(sample++), (_, _) => null);
    }

    static ImmutableArray<object> Without(ImmutableArray<object> facts, Func<object, bool> drops, Func<int, object, object?> tells)
    {
        var kept = ImmutableArray.CreateBuilder<object>();
        var dropped = 0;
        CountersRead? missed = null;
        foreach (var fact in facts)
        {
            if (drops(fact))
            {
                dropped++;
                missed = fact is CountersRead lost ? Both(missed, lost) : missed;
                continue;
            }

            if (dropped > 0 && tells(dropped, fact) is { } told)
            {
                kept.Add(told);
            }

            dropped = 0;
            kept.Add(fact is CountersRead sample ? Both(missed, sample) : fact);
            missed = fact is CountersRead ? null : missed;
        }

        return kept.ToImmutable();
    }

    // Counters are totals: whoever misses a reading gets its part with the next one.
    static CountersRead Both(CountersRead? missed, CountersRead next) => missed is not { } first ? next : next with
    {
        IntervalMs = first.IntervalMs + next.IntervalMs,
        Completed = first.Completed + next.Completed,
        Cpu = new(first.Cpu.Seconds + next.Cpu.Seconds, null),
    };
}
