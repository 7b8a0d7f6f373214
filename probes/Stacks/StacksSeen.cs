using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>The stack bursts of a capture up to one moment; immutable.</summary>
/// <param name="Bursts">The bursts, oldest first, up to 120.</param>
/// <param name="Remarks">Reasons why bursts gave no samples, one sentence each.</param>
sealed record StacksSeen(ImmutableArray<BurstSamples> Bursts, ImmutableArray<string> Remarks)
{
    /// <summary>Maximum number of bursts kept: one every five seconds for ten minutes.</summary>
    const int Most = 120;

    /// <summary>
    /// Maximum number of stacks kept in all bursts, because each report processes every stack; the newest burst keeps all of its stacks.
    /// With a thousand threads, the last ten bursts are kept, and older bursts show the same places.
    /// </summary>
    const int MostStacks = 10_000;

    /// <summary>A state without bursts.</summary>
    public static StacksSeen None { get; } = new([], []);

    /// <summary>The application's own assemblies; null if unknown.</summary>
    public ImmutableHashSet<string>? Own { get; init; }

    /// <summary>Memory readings, oldest first, limited in number like bursts; <see cref="Bursts"/> contains their stacks.</summary>
    public ImmutableArray<InsideReading> Readings { get; init; } = [];

    /// <summary>The newest burst and the newest reading alone, which show this moment.</summary>
    public StacksSeen Newest => this with { Bursts = [.. Bursts.TakeLast(1)], Readings = [.. Readings.TakeLast(1)] };

    /// <summary>Returns the state with one more memory reading.</summary>
    public StacksSeen WithReading(InsideReading reading) =>
        (InsideSamples.Of(reading) is { } samples ? With(new(samples, null)) : this).WithGlance(reading);

    /// <summary>Returns the state with one more memory reading, without its stacks.</summary>
    public StacksSeen WithGlance(InsideReading reading) => this with
    {
        Readings = [.. Readings.TakeLast(Most - 1), InsideSamples.Rest(reading)],
    };

    /// <summary>Returns the state with one more burst.</summary>
    public StacksSeen With(BurstOutcome outcome) => this with
    {
        Bursts = outcome.Samples is { } samples ? Kept([.. Bursts.TakeLast(Most - 1), samples]) : Bursts,
        Remarks = outcome.Failure is { } failure && !Remarks.Contains(failure) ? [.. Remarks, failure] : Remarks,
    };

    static ImmutableArray<BurstSamples> Kept(ImmutableArray<BurstSamples> bursts)
    {
        var (first, stacks) = (bursts.Length - 1, bursts[^1].Stacks.Length);
        while (first > 0 && (stacks += bursts[first - 1].Stacks.Length) <= MostStacks)
        {
            first--;
        }

        return bursts[first..];
    }

    /// <summary>Returns the state in which the newest burst has the given lock waits.</summary>
    public StacksSeen WithLocks(ImmutableArray<LockAwaited> locks) =>
        this with { Bursts = [.. Bursts[..^1], Bursts[^1] with { Locks = locks }] };

    /// <summary>Returns the state at an earlier moment.</summary>
    public StacksSeen Until(EventTime moment) => Bursts.All(b => b.At <= moment) && Readings.All(r => r.At <= moment) ? this : this with
    {
        Bursts = [.. Bursts.Where(b => b.At <= moment)],
        Readings = [.. Readings.Where(r => r.At <= moment)],
    };
}
