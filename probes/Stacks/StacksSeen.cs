using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>The bursts of a capture up to one moment; immutable.</summary>
/// <param name="Bursts">Oldest first, bounded.</param>
/// <param name="Remarks">Why some brought nothing, a sentence each.</param>
sealed record StacksSeen(ImmutableArray<BurstSamples> Bursts, ImmutableArray<string> Remarks)
{
    /// <summary>A burst each five seconds, ten minutes long.</summary>
    const int Most = 120;

    /// <summary>
    /// Of all bursts, but the newest has all its own: each report looks at every one. With a thousand threads it is the last ten bursts,
    /// and what is older says the same.
    /// </summary>
    const int MostStacks = 10_000;

    /// <summary>Nothing yet.</summary>
    public static StacksSeen None { get; } = new([], []);

    /// <summary>The service's own assemblies; null where nobody knows them.</summary>
    public ImmutableHashSet<string>? Own { get; init; }

    /// <summary>Readings of the memory, oldest first, bounded as bursts are; the stacks of each are among the bursts.</summary>
    public ImmutableArray<InsideReading> Readings { get; init; } = [];

    /// <summary>With one more reading.</summary>
    public StacksSeen WithReading(InsideReading reading) =>
        (InsideSamples.Of(reading) is { } samples ? With(new(samples, null)) : this).WithGlance(reading);

    /// <summary>With one more reading without its stacks.</summary>
    public StacksSeen WithGlance(InsideReading reading) => this with
    {
        Readings = [.. Readings.TakeLast(Most - 1), InsideSamples.Rest(reading)],
    };

    /// <summary>With one more.</summary>
    public StacksSeen With(BurstOutcome outcome) => this with
    {
        Bursts = outcome.Samples is { } samples ? Newest([.. Bursts.TakeLast(Most - 1), samples]) : Bursts,
        Remarks = outcome.Failure is { } failure && !Remarks.Contains(failure) ? [.. Remarks, failure] : Remarks,
    };

    static ImmutableArray<BurstSamples> Newest(ImmutableArray<BurstSamples> bursts)
    {
        var (first, stacks) = (bursts.Length - 1, bursts[^1].Stacks.Length);
        while (first > 0 && (stacks += bursts[first - 1].Stacks.Length) <= MostStacks)
        {
            first--;
        }

        return bursts[first..];
    }

    /// <summary>With what is known by now of the locks in the newest burst.</summary>
    public StacksSeen WithLocks(ImmutableArray<LockAwaited> locks) =>
        this with { Bursts = [.. Bursts[..^1], Bursts[^1] with { Locks = locks }] };

    /// <summary>What was known at a moment.</summary>
    public StacksSeen Until(EventTime moment) => Bursts.All(b => b.At <= moment) && Readings.All(r => r.At <= moment) ? this : this with
    {
        Bursts = [.. Bursts.Where(b => b.At <= moment)],
        Readings = [.. Readings.Where(r => r.At <= moment)],
    };
}
