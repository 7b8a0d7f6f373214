using Microsoft.Diagnostics.Tracing.Etlx;

namespace Tpwatch.Stacks;

/// <summary>How often each thread was seen with a stack, and whether it was in managed code then.</summary>
/// <remarks>
/// On .NET 9 the first sample of a thread may tell the mode of an earlier suspension: threads that wait for a lock all the time are
/// said to run (measured on 9.0.20: one sample in 804, always the first). So the first sample of a thread counts only where no other
/// follows, and then says nothing of running.
/// </remarks>
sealed class SampleCounts
{
    readonly Dictionary<int, CallStackIndex> first = [];
    readonly Dictionary<(int Thread, CallStackIndex Stack, bool Running), int> later = [];

    /// <summary>All that count, in any order.</summary>
    public IEnumerable<(int Thread, CallStackIndex Stack, bool Running, int Samples)> All
    {
        get
        {
            var again = later.Keys.Select(key => key.Thread).ToHashSet();
            return later.Select(one => (one.Key.Thread, one.Key.Stack, one.Key.Running, one.Value))
                .Concat(first.Where(one => !again.Contains(one.Key)).Select(one => (one.Key, one.Value, false, 1)));
        }
    }

    /// <summary>Takes a sample, in the order in which they were taken.</summary>
    public void Add(int thread, CallStackIndex stack, bool running)
    {
        if (!first.TryAdd(thread, stack))
        {
            later[(thread, stack, running)] = later.GetValueOrDefault((thread, stack, running)) + 1;
        }
    }
}
