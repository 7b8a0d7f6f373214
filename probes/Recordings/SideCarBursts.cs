using System.Text.Json.Serialization;

namespace Tpwatch.Recordings;

/// <summary>The bursts of stacks as a side-car holds them: names and counts. Each name is written once and called by its place.</summary>
/// <param name="Frames">The names.</param>
/// <param name="Taken">The bursts, oldest first.</param>
sealed record SideCarBursts(ImmutableArray<string> Frames, ImmutableArray<SideCarBurst> Taken)
{
    /// <summary>The service's own assemblies; null where nobody knew them, and in recordings of earlier versions.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ImmutableArray<string>? Own { get; init; }
}

/// <summary>One burst.</summary>
/// <param name="AtNs">Nanoseconds of the monotonic clock.</param>
/// <param name="Ms">How long it sampled, milliseconds.</param>
/// <param name="Stacks">The stacks.</param>
/// <param name="Locks">Who waited for a lock.</param>
sealed record SideCarBurst(long AtNs, double Ms, ImmutableArray<SideCarStack> Stacks, ImmutableArray<SideCarLock> Locks)
{
    /// <summary>Whether it was read from the memory of the process.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Reading { get; init; }
}

/// <summary>One stack of a thread.</summary>
/// <param name="Thread">OS id.</param>
/// <param name="Samples">How often it was seen.</param>
/// <param name="Running">Whether the thread could be running.</param>
/// <param name="Frames">Places of its names, innermost first.</param>
sealed record SideCarStack(int Thread, int Samples, bool Running, ImmutableArray<int> Frames);

/// <summary>A thread that waited for a lock.</summary>
/// <param name="AtNs">Since when, nanoseconds of the monotonic clock.</param>
/// <param name="Thread">OS id.</param>
/// <param name="Lock">Which lock.</param>
/// <param name="Owner">OS id of who had it.</param>
sealed record SideCarLock(long AtNs, int Thread, long Lock, int Owner);
