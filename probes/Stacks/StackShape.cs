using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>What a stack says: whether it is a worker's, where the service's own code is in it, and what it waits for.</summary>
sealed class StackShape
{
    /// <summary>The delegate that ASP.NET Core compiles for an endpoint; the action is often inlined into it.</summary>
    const string Endpoint = "an ASP.NET Core endpoint";

    /// <summary>The same of a hub, whose dispatcher calls its methods.</summary>
    const string HubMethod = "a SignalR hub method";

    const string Hubs = "Microsoft.AspNetCore.SignalR";

    /// <summary>Of other expression trees, such as those of mappers.</summary>
    const string Compiled = "compiled delegate";

    /// <summary>
    /// An item whose method ends with the call that blocks: the runtime jumps there instead of calling, and the method's frame is gone.
    /// </summary>
    const string Gone = "a method without a stack frame";

    const string Server = "Microsoft.AspNetCore.Server.Kestrel";

    /// <summary>
    /// Most programs wait on their main thread in Main or in what it calls, for the end. Deeper in own code a loop has called something.
    /// </summary>
    public const int DepthOfMain = 2;

    readonly ImmutableArray<FrameName> frames;
    readonly bool running;

    // The innermost frame that is not the runtime's, the innermost of the service's own or the one that stands for it, and what the pool
    // calls items through where the item's own method is gone; -1 where there is none.
    readonly int user;
    readonly int place;
    readonly int caller;

    StackShape(SampledStack stack, ImmutableHashSet<string>? own)
    {
        // A service may be called as if it were the framework's.
        frames = WithoutIterators([.. stack.Frames.Select(FrameName.Of)
            .Select(f => own?.Contains(f.Module) == true ? f with { IsRuntime = false } : f)]);
        running = stack.Running;
        user = frames.Innermost(f => !f.IsRuntime);
        var dispatch = frames.Outermost(f => f is { IsRuntime: true, Type: "ThreadPoolWorkQueue", Method: "Dispatch" });
        IsWorker = frames.Outermost(f => f is { IsRuntime: true, Method: "WorkerThreadStart" }) >= 0;

        // Between two items a worker looks for the next one; then nothing holds it.
        IsAtWork = IsWorker && dispatch > 0
            && (user >= 0 || !ItemCalls.IsOfThePool(frames[dispatch - 1]));
        caller = user < 0 && dispatch > 0 ? ItemCalls.Caller(frames, dispatch) : -1;
        place = Own(own) is >= 0 and var first ? first : user >= 0 ? user : caller >= 0 ? caller
            : dispatch > 0 ? ItemCalls.Item(frames, dispatch) : frames.Length - 1;
        Kind = KindOf();
        Frame = place < 0 ? "?" : Name(place, f => f.Full);
        Brief = place < 0 ? "?" : Name(place, f => f.Brief);
        IsWaitingForWork = !running && ParkedCalls.IsIn(frames.Take(place + 1));
        IsParked = IsAtWork && IsWaitingForWork;
        Resource = ResourceFrames.Of(Kind, frames, place, user < 0);
        AwaitsAlready = user > 0 && place > 0 && Kind != BlockKind.Cpu && CalledBy(place) is { IsRuntime: var ofRuntime } called
            && (ofRuntime || place > user) && called.Method.EndsWith("Async", StringComparison.Ordinal)
            ? frames[place].IsStateMachine ? true : null
            : false;
        Entry = user >= 0 && user < place ? Name(LastBefore(place), f => f.Short) : null;
        Call = Kind == BlockKind.Cpu ? null : user > 0 ? frames[user - 1].Short : IsGone ? frames[caller - 1].Short : null;
        HasOwnCode = Own(own) >= 0;
        OwnDepth = frames.Count(f => IsOwn(f, own));
        (Home, HomeName) = HomeOf(own);
        HoldsRequest = frames.Innermost(f => f.Method == "ProcessRequests" && f.Space.StartsWith(Server, StringComparison.Ordinal)) > place;
    }

    /// <summary>Whether it is a worker of the pool.</summary>
    public bool IsWorker { get; }

    /// <summary>Whether it is a thread outside the pool: its first frame is seen, and is no worker's.</summary>
    public bool IsOutside => !IsWorker && frames is [.., { IsRuntime: true, Space: "System.Threading.Thread" }];

    /// <summary>Whether it is a worker that runs an item.</summary>
    public bool IsAtWork { get; }

    /// <summary>
    /// Whether the server called the code that stands for the whole: then the request has not left this thread since it began.
    /// </summary>
    public bool HoldsRequest { get; }

    /// <summary>Whether some code of the user's is on it.</summary>
    public bool HasUserCode => user >= 0;

    public BlockKind Kind { get; }

    /// <summary>
    /// The frame that stands for the whole: the innermost of the service's own; without one of a package, else of the runtime.
    /// </summary>
    public string Frame { get; }

    /// <summary>The same without its namespace.</summary>
    public string Brief { get; }

    /// <summary>Whether the frame is a delegate without a name of its own, or none at all.</summary>
    public bool IsNameless => place >= 0 && (frames[place].IsCompiled || IsGone);

    /// <summary>Whether the method that blocks is not on the stack: it ended with a tail call, or lies inlined in the pool's.</summary>
    public bool IsGone => caller >= 0 && place == caller;

    /// <summary>Whether the service's own code is on it.</summary>
    public bool HasOwnCode { get; }

    /// <summary>Frames of the service's own.</summary>
    public int OwnDepth { get; }

    /// <summary>Whose thread it is.</summary>
    public ThreadHome Home { get; }

    /// <summary>The library whose thread it is; empty of all others.</summary>
    public string HomeName { get; }

    /// <summary>From the frame that stands for the whole to the call that blocks.</summary>
    public string Chain => string.Join(" > ", new[] { Brief, Entry, Call }.OfType<string>());

    /// <summary>Whether it waits for work to come, on whatever thread.</summary>
    public bool IsWaitingForWork { get; }

    /// <summary>Whether it runs an item that waits for work to come, as a consumer's loop does.</summary>
    public bool IsParked { get; }

    /// <summary>What it waits for.</summary>
    public Resource Resource { get; }

    /// <summary>
    /// Whether the call that blocks is an asynchronous one, of a library that blocks in it. Null where the caller is no state machine: it
    /// may be a method that the runtime suspends, or a synchronous method of the library was inlined, such as MySqlConnection.Open.
    /// </summary>
    public bool? AwaitsAlready { get; }

    /// <summary>The call by which the frame enters a package that waits; null where it waits itself.</summary>
    public string? Entry { get; }

    /// <summary>The call that blocks; null when it computes, or waits in the code itself.</summary>
    public string? Call { get; }

    /// <summary>The frames in words, innermost first.</summary>
    public ImmutableArray<string> Frames => [.. Enumerable.Range(0, frames.Length).Select(i => Plain(i, f => f.Full))];

    /// <summary>Reads one; <paramref name="own"/> are the service's own assemblies, null where nobody knows them.</summary>
    public static StackShape Of(SampledStack stack, ImmutableHashSet<string>? own = null) => new(stack, own);

    // A delegate that was compiled for an endpoint has the action in it, so it stands for the service's own code.
    int Own(ImmutableHashSet<string>? own)
    {
        for (var at = 0; at < frames.Length; at++)
        {
            if (frames[at].IsCompiled ? IsEndpoint(at) : IsOwn(frames[at], own))
            {
                return at;
            }
        }

        return -1;
    }

    static bool IsOwn(FrameName f, ImmutableHashSet<string>? own) => own?.Contains(f.Module) ?? !f.IsRuntime;

    // A thread is whose code is called first on it.
    (ThreadHome Home, string Name) HomeOf(ImmutableHashSet<string>? own)
    {
        var first = frames.Outermost(f => !f.IsRuntime);
        return IsWorker ? (ThreadHome.Pool, "")
            : first < 0 ? (ThreadHome.Program, "")
            : frames[first].Method == "Finalize" ? (ThreadHome.Finalizer, "")
            : frames.Skip(first).Any(f => f is { Type: "SocketAsyncEngine", Method: "EventLoop" }) ? (ThreadHome.Sockets, "")
            : !IsOwn(frames[first], own) ? (ThreadHome.Library, frames[first].Module)
            : frames[first].Method == "Main" ? (ThreadHome.Main, "")
            : (ThreadHome.Program, "");
    }

    bool IsEndpoint(int at)
    {
        var caller = CallerOf(at);
        return frames[at].IsCompiled && caller < frames.Length && (IsServer(frames[caller]) || IsMiddleware(caller));
    }

    // What calls the endpoint may leave no frame, being a tail call; then a middleware of the service or of a package stands there, and
    // no endpoint has been called yet.
    bool IsMiddleware(int at) =>
        Outward(at, f => !f.IsRuntime || IsBuilder(f)) is var server && server < frames.Length && IsServer(frames[server])
        && !frames.Skip(at).Any(f => f.IsCompiled || CallsEndpoints(f));

    int Outward(int from, Func<FrameName, bool> over)
    {
        var at = from;
        while (at < frames.Length && over(frames[at]))
        {
            at++;
        }

        return at;
    }

    static bool IsServer(FrameName f) => f.Space.StartsWith("Microsoft.AspNetCore", StringComparison.Ordinal);

    static bool CallsEndpoints(FrameName f) =>
        f.Type == "EndpointMiddleware" || f.Space.StartsWith("Microsoft.AspNetCore.Mvc", StringComparison.Ordinal);

    int LastBefore(int end)
    {
        var at = end - 1;
        while (frames[at].IsRuntime)
        {
            at--;
        }

        return at;
    }

    string Name(int at, Func<FrameName, string> name) => IsGone && at == place ? Gone : Plain(at, name);

    string Plain(int at, Func<FrameName, string> name) => !frames[at].IsCompiled ? name(frames[at])
        : !IsEndpoint(at) ? Compiled
        : frames[CallerOf(at)].Space.StartsWith(Hubs, StringComparison.Ordinal) ? HubMethod : Endpoint;

    // Of a compiled delegate, past the others that it lies in.
    int CallerOf(int at) => Outward(at + 1, f => f.IsCompiled || IsBuilder(f));

    // The frame that a place calls, past the compiler's own builders.
    FrameName? CalledBy(int at)
    {
        var called = at - 1;
        while (called > 0 && IsBuilder(frames[called]))
        {
            called--;
        }

        return called < 0 ? null : frames[called];
    }

    // An async method and an iterator look alike; who calls them tells.
    static ImmutableArray<FrameName> WithoutIterators(ImmutableArray<FrameName> frames) =>
    [
        .. frames.Select((f, i) => f.IsStateMachine && i + 1 < frames.Length && !GoesOn(f, frames[i + 1])
            ? f with { IsStateMachine = false }
            : f),
    ];

    static bool GoesOn(FrameName frame, FrameName caller) =>
        IsBuilder(caller) || (caller.Space == frame.Space && caller.Method == frame.Method);

    static bool IsBuilder(FrameName f) => f.IsRuntime
        && (f.Space.StartsWith("System.Runtime.CompilerServices", StringComparison.Ordinal) || f.Type == "ExecutionContext");

    // What it is inside of counts, whatever lies inside that again: a socket's own wait is the socket's.
    BlockKind KindOf()
    {
        var inner = frames.Take(Math.Max(0, user >= 0 ? user : place)).ToArray();
        return inner.Any(WaitFrames.IsForTask) ? BlockKind.Task
            : inner.Any(WaitFrames.IsForLock) ? BlockKind.Lock
            : inner.Any(WaitFrames.IsSleep) ? BlockKind.Sleep
            : !running && inner.Any(WaitFrames.IsIo) ? BlockKind.Io
            : inner.Any(WaitFrames.IsForHandle) ? BlockKind.Wait
            : running ? BlockKind.Cpu
            : inner.Length == 0 && user >= 0 ? BlockKind.Unseen : BlockKind.Native;
    }
}

/// <summary>
/// Calls that wait for work: a loop around one of them is at rest when there is none, and hangs nothing. Of packages those that are met
/// most; a wait for a task tells nothing, whatever is awaited.
/// </summary>
static class ParkedCalls
{
    /// <summary>Types by name without type arguments, and how the names of their methods begin.</summary>
    static readonly (string Type, string Method)[] Known =
    [
        ("BlockingCollection", "Take"), ("BlockingCollection", "TryTake"), ("BlockingCollection", "GetConsumingEnumerable"),
        ("Socket", "Accept"), ("TcpListener", "Accept"), ("HttpListener", "GetContext"), ("UdpClient", "Receive"),
        ("NamedPipeServerStream", "WaitForConnection"), ("FileSystemWatcher", "WaitForChanged"),
        ("Console", "Read"), ("ConsoleStream", "Read"),
        ("Consumer", "Consume"), ("SafeKafkaHandle", "ConsumerPoll"), ("SharedQueue", "Dequeue"), ("MessageQueue", "Receive"),
    ];

    /// <summary>Whether one of the frames is such a call.</summary>
    public static bool IsIn(IEnumerable<FrameName> frames) => frames.Any(f => Known.Any(
        k => f.Type.Split('`')[0] == k.Type && f.Method.StartsWith(k.Method, StringComparison.Ordinal)));
}

/// <summary>Looks for frames of a stack, which begins with the innermost.</summary>
static class FrameSearch
{
    /// <summary>The place of the innermost that is wanted; -1 where none is.</summary>
    public static int Innermost(this ImmutableArray<FrameName> frames, Func<FrameName, bool> wanted)
    {
        for (var i = 0; i < frames.Length; i++)
        {
            if (wanted(frames[i]))
            {
                return i;
            }
        }

        return -1;
    }

    /// <summary>The place of the outermost that is wanted; -1 where none is.</summary>
    public static int Outermost(this ImmutableArray<FrameName> frames, Func<FrameName, bool> wanted)
    {
        for (var i = frames.Length - 1; i >= 0; i--)
        {
            if (wanted(frames[i]))
            {
                return i;
            }
        }

        return -1;
    }
}

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
