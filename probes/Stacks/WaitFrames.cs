namespace Tpwatch.Stacks;

/// <summary>The runtime's frames by which a wait is known; as seen on .NET 8, 9 and 10.</summary>
static class WaitFrames
{
    /// <summary>The pool is told of it: every such wait goes through one method of Task.</summary>
    public static bool IsForTask(FrameName f) =>
        f is { Type: "Task", Method: "SpinThenBlockingWait" or "InternalWaitCore" or "InternalWait" }
            or { Type: "TaskAwaiter", Method: "HandleNonSuccessAndDebuggerNotification" };

    /// <summary>
    /// A monitor or a lock, taken by another thread, or a type that another thread initializes; Monitor.Wait is none.
    /// </summary>
    public static bool IsForLock(FrameName f) =>
        f is
    {
        Type: "Monitor",
        Method: "Enter" or "Enter_Slowpath" or "ReliableEnter" or "TryEnter" or "TryEnter_Slowpath" or "ReliableEnterTimeout"
    }
            or { Type: "Lock", Method: "Enter" or "EnterScope" or "TryEnterSlow" or "EnterAndGetCurrentThreadId" }
        || f.Type is "ReaderWriterLockSlim" or "ReaderWriterLock"
        || f is { Type: "InitHelpers", Method: "InitClassSlow" or "InitClass" } or { Type: "StaticsHelpers" };

    public static bool IsSleep(FrameName f) => f is { Type: "Thread", Method: "Sleep" or "SleepInternal" };

    /// <summary>Sockets, streams, files, pipes, names, other processes.</summary>
    public static bool IsIo(FrameName f) =>
        f.Space.StartsWith("System.Net", StringComparison.Ordinal) || f.Space.StartsWith("System.IO", StringComparison.Ordinal)
        || (f.Space.StartsWith("Interop.Sys", StringComparison.Ordinal) && !IsLowLevelMonitor(f))
        || f is { Type: "Process", Method: "WaitForExit" or "WaitForExitCore" };

    /// <summary>An event, a semaphore, another thread.</summary>
    public static bool IsForHandle(FrameName f) =>
        f is { Type: "Monitor", Method: "Wait" or "ObjWait" } or { Type: "Thread", Method: "Join" or "JoinInternal" }
        || IsLowLevelMonitor(f)
        || f.Space.StartsWith("System.Threading.WaitSubsystem", StringComparison.Ordinal)
        || f is { Type: "GC", Method: "WaitForPendingFinalizers" or "_WaitForPendingFinalizers" }
        || f.Type is "WaitHandle" or "ManualResetEventSlim" or "SemaphoreSlim" or "Barrier"
            or "CountdownEvent" or "WaitSubsystem" or "LowLevelLifoSemaphore";

    // .NET 11 waits in managed code down to the system's own monitor: Interop.Sys.LowLevelMonitor_TimedWait, and a stub within that.
    static bool IsLowLevelMonitor(FrameName f) =>
        f.Space.StartsWith("Interop.Sys.LowLevelMonitor", StringComparison.Ordinal)
        || (f.Space == "Interop.Sys" && f.Method.StartsWith("LowLevelMonitor", StringComparison.Ordinal));
}
