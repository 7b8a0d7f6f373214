using Tpwatch.Events;

namespace Tpwatch.Stacks;

/// <summary>What one burst of samples saw.</summary>
/// <param name="At">Event time of its first sample.</param>
/// <param name="Ms">From its first sample to its last, milliseconds.</param>
/// <param name="Stacks">The stacks, several a thread where it moved.</param>
sealed record BurstSamples(EventTime At, double Ms, ImmutableArray<SampledStack> Stacks)
{
    /// <summary>Who waited for a lock then, and who had it; empty where nobody listened.</summary>
    public ImmutableArray<LockAwaited> Locks { get; init; } = [];

    /// <summary>Whether it was read from the memory of the target, which went on meanwhile; then each thread has one sample.</summary>
    public bool IsReading { get; init; }

    /// <summary>Whether the runtime named not one method, as it does for each that it compiles itself.</summary>
    public bool NamesNothing => Stacks.All(s => s.Frames.All(f => f.EndsWith(StackReading.Nameless, StringComparison.Ordinal)));
}

/// <summary>A stack that a thread was seen with.</summary>
/// <param name="ThreadId">OS id of the thread.</param>
/// <param name="Samples">How often.</param>
/// <param name="Running">Whether it was in managed code and could be running; otherwise it was in native code or waiting.</param>
/// <param name="Frames">Innermost first, as <c>module!Namespace.Type.Method(arguments)</c>; without a
/// module where the runtime does not name one.</param>
sealed record SampledStack(int ThreadId, int Samples, bool Running, ImmutableArray<string> Frames);
