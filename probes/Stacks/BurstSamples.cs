using Tpwatch.Events;

namespace Tpwatch.Stacks;

/// <summary>The samples of one stack burst.</summary>
/// <param name="At">Event time of the first sample.</param>
/// <param name="Ms">From the first sample to the last, milliseconds.</param>
/// <param name="Stacks">The stacks; a thread that moved has several.</param>
sealed record BurstSamples(EventTime At, double Ms, ImmutableArray<SampledStack> Stacks)
{
    /// <summary>Lock waits during the burst, with the owners; empty where lock events were not recorded.</summary>
    public ImmutableArray<LockAwaited> Locks { get; init; } = [];

    /// <summary>Whether the stacks were read from the target's memory while it ran; each thread then has one sample.</summary>
    public bool IsReading { get; init; }

    /// <summary>Whether the runtime named no method at all; it names every method that it compiles at run time.</summary>
    public bool NamesNothing => Stacks.All(s => s.Frames.All(f => f.EndsWith(StackReading.Nameless, StringComparison.Ordinal)));
}

/// <summary>A stack of a thread, with its number of samples.</summary>
/// <param name="ThreadId">OS id of the thread.</param>
/// <param name="Samples">Number of samples with this stack.</param>
/// <param name="Running">Whether the thread was in managed code and could run; otherwise it was in native code or waiting.</param>
/// <param name="Frames">Innermost first, as <c>module!Namespace.Type.Method(arguments)</c>; without a module where the runtime does not
/// name one.</param>
sealed record SampledStack(int ThreadId, int Samples, bool Running, ImmutableArray<string> Frames);
