namespace Tpwatch.Stacks;

/// <summary>
/// The runtime follows a stack for a hundred frames only: of a deep recursion its other end is missing, and with it what tells a worker.
/// The kernel knows the thread by its name.
/// </summary>
static class CutStacks
{
    /// <summary>Fewer are a whole stack.</summary>
    const int Cut = 90;

    static readonly string[] Outermost =
    [
        "... cut off by the runtime", "System.Private.CoreLib!System.Threading.ThreadPoolWorkQueue.Dispatch()",
        "System.Private.CoreLib!System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart()",
    ];

    /// <summary>The samples with the ends of workers' stacks put back.</summary>
    /// <param name="samples">The samples.</param>
    /// <param name="workers">Tells the workers, by the ids of the samples; asked only where a stack is cut.</param>
    public static BurstSamples Mended(BurstSamples samples, Func<IReadOnlySet<int>> workers)
    {
        if (!samples.Stacks.Any(IsCut))
        {
            return samples;
        }

        var named = workers();
        return samples with
        {
            Stacks =
            [
                .. samples.Stacks.Select(s => IsCut(s) && named.Contains(s.ThreadId) ? s with { Frames = [.. s.Frames, .. Outermost] } : s),
            ],
        };
    }

    static bool IsCut(SampledStack stack) =>
        stack.Frames.Length >= Cut && !stack.Frames[^1].Contains("System.Threading.Thread.", StringComparison.Ordinal);
}
