using Tpwatch.Events;

namespace Tpwatch.Stacks;

/// <summary>The samples of one stack burst.</summary>
/// <param name="At">Event time of the first sample.</param>
/// <param name="Ms">Time from the first sample to the last, milliseconds.</param>
/// <param name="Stacks">The stacks; a thread that was sampled at several places has several stacks.</param>
sealed record BurstSamples(EventTime At, double Ms, ImmutableArray<SampledStack> Stacks)
{
    /// <summary>Waits for locks during the burst, with the owners of the locks; empty if lock events were not recorded.</summary>
    public ImmutableArray<LockAwaited> Locks { get; init; } = [];

    /// <summary>Whether the stacks were read from the memory of the running target; each thread then has one sample.</summary>
    public bool IsReading { get; init; }

    /// <summary>Whether no frame has a method name; the runtime names every method that it compiles at run time.</summary>
    public bool NamesNothing => Stacks.All(s => s.Frames.All(f => f.EndsWith(StackReading.Nameless, StringComparison.Ordinal)));
}

/// <summary>A stack of a thread, with its number of samples.</summary>
/// <param name="ThreadId">OS id of the thread.</param>
/// <param name="Samples">Number of samples with this stack.</param>
/// <param name="Running">Whether the thread was in managed code and could run; otherwise it was in native code or waiting.</param>
/// <param name="Frames">The frames, innermost first, as <c>module!Namespace.Type.Method(arguments)</c>; without a module if the runtime
/// names none.</param>
sealed record SampledStack(int ThreadId, int Samples, bool Running, ImmutableArray<string> Frames);
