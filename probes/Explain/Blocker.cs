using System.Collections.Immutable;

namespace Tpwatch.Explain;

/// <summary>What a worker was doing when it was sampled.</summary>
public enum BlockKind
{
    /// <summary>It waited for a task: the pool sees it and compensates.</summary>
    Task,

    /// <summary>It waited for a lock.</summary>
    Lock,

    /// <summary>It waited for an event, a semaphore or another wait handle.</summary>
    Wait,

    /// <summary>It slept.</summary>
    Sleep,

    /// <summary>It waited for a socket, a pipe or a file.</summary>
    Io,

    /// <summary>It was in native code that is none of these.</summary>
    Native,

    /// <summary>It was running.</summary>
    Cpu,
}

/// <summary>A place in the user's code that holds workers.</summary>
/// <param name="Frame">The first frame of the user's own code below the wait; of the runtime's where the stack has none of the user's.</param>
/// <param name="Share">Of the samples of workers that were at work, how many were here: 0 to 1.</param>
/// <param name="Threads">Workers that were seen here.</param>
/// <param name="Kind">What they waited for.</param>
/// <param name="Stack">The most frequent stack, innermost frame first.</param>
public sealed record Blocker(string Frame, double Share, int Threads, BlockKind Kind, ImmutableArray<string> Stack);
