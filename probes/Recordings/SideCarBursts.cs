using System.Text.Json.Serialization;

namespace Tpwatch.Recordings;

/// <summary>The stack bursts in a side-car: names and counts. Each frame name is stored once and referenced by its index.</summary>
/// <param name="Frames">The frame names.</param>
/// <param name="Taken">The bursts, oldest first.</param>
sealed record SideCarBursts(ImmutableArray<string> Frames, ImmutableArray<SideCarBurst> Taken)
{
    /// <summary>The service's own assemblies; null if they were not known, and in recordings of earlier versions.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ImmutableArray<string>? Own { get; init; }
}

/// <summary>One burst.</summary>
/// <param name="AtNs">Nanoseconds of the monotonic clock.</param>
/// <param name="Ms">Sampling time, milliseconds.</param>
/// <param name="Stacks">The stacks.</param>
/// <param name="Locks">The threads that waited for a lock.</param>
sealed record SideCarBurst(long AtNs, double Ms, ImmutableArray<SideCarStack> Stacks, ImmutableArray<SideCarLock> Locks)
{
    /// <summary>Whether the burst was read from the memory of the process.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Reading { get; init; }
}

/// <summary>One stack of a thread.</summary>
/// <param name="Thread">OS id of the thread.</param>
/// <param name="Samples">Number of samples with this stack.</param>
/// <param name="Running">Whether the thread may have been running.</param>
/// <param name="Frames">Indexes of the frame names, innermost first.</param>
sealed record SideCarStack(int Thread, int Samples, bool Running, ImmutableArray<int> Frames);

/// <summary>A thread that waited for a lock.</summary>
/// <param name="AtNs">Start of the wait, nanoseconds of the monotonic clock.</param>
/// <param name="Thread">OS id of the waiting thread.</param>
/// <param name="Lock">Id of the lock.</param>
/// <param name="Owner">OS id of the thread that owned the lock.</param>
sealed record SideCarLock(long AtNs, int Thread, long Lock, int Owner);
