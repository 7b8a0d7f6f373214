namespace Tpwatch.Stacks;

/// <summary>
/// How the pool calls an item's method, and where that has left no frame: its last call was made by a jump, or the compiler has put the
/// method into the pool's own, as it does with what has run for half a minute.
/// </summary>
static class ItemCalls
{
    /// <summary>Between two items the pool counts, and looks for the next.</summary>
    public static bool IsOfThePool(FrameName f) => !IsDispatch(f)
        && (f.Type.StartsWith("ThreadPoolWorkQueue", StringComparison.Ordinal) || f.Type == "ThreadPool"
            || f.Space.Contains("PortableThreadPool", StringComparison.Ordinal));

    /// <summary>
    /// The frame that has called the method that is gone, by the frames within <paramref name="dispatch"/>: it is followed at once by a
    /// call of which no framework makes an item by itself. -1 where no method is gone, or nobody can tell.
    /// </summary>
    public static int Caller(ImmutableArray<FrameName> frames, int dispatch)
    {
        var at = LastCall(frames, dispatch);
        return at > 0 && IsWait(frames[at - 1]) ? at : -1;
    }

    /// <summary>What the pool calls as an item's own method, where all frames are the framework's.</summary>
    public static int Item(ImmutableArray<FrameName> frames, int dispatch) => Math.Max(0, LastCall(frames, dispatch) - 1);

    // The innermost of the frames by which the pool gets to an item's method.
    static int LastCall(ImmutableArray<FrameName> frames, int dispatch)
    {
        var at = dispatch;
        while (at > 0 && IsCall(frames[at - 1]))
        {
            at--;
        }

        return at;
    }

    // From .NET 10 on it calls one item.
    static bool IsDispatch(FrameName f) => f is { Type: "ThreadPoolWorkQueue", Method: "DispatchWorkItem" };

    static bool IsCall(FrameName f) => IsDispatch(f)
        || f.Type.StartsWith("QueueUserWorkItemCallback", StringComparison.Ordinal) || f.Type == "ExecutionContext"
        || f is { Type: "Task", Method: "InnerInvoke" or "ExecuteWithThreadLocal" or "ExecuteEntryUnsafe" or "ExecuteFromThreadPool" };

    static bool IsWait(FrameName f) => f.Space is "System.Threading.Thread" or "System.Threading.Tasks.Task"
        or "System.Threading.Monitor" or "System.Threading.SemaphoreSlim" or "System.Threading.ManualResetEventSlim"
        or "System.Threading.WaitHandle" or "System.Threading.Barrier" or "System.Threading.CountdownEvent";
}
