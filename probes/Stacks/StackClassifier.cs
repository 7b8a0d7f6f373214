using System.Runtime.InteropServices;
using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>Classifies a stack: whether the thread is a worker thread, what it waits for, and where the application's code is.</summary>
sealed class StackClassifier
{
    /// <summary>The name for the delegate that ASP.NET Core compiles for an endpoint; it often contains the inlined action.</summary>
    const string Endpoint = "an ASP.NET Core endpoint";

    /// <summary>The name for the compiled delegate by which SignalR's dispatcher calls a hub's method.</summary>
    const string HubMethod = "a SignalR hub method";

    const string Hubs = "Microsoft.AspNetCore.SignalR";

    /// <summary>The name for delegates of other expression trees, such as those of mappers.</summary>
    const string Compiled = "compiled delegate";

    /// <summary>
    /// The name for a method that ends with the blocking call: the JIT compiles this as a tail call, which removes the method's frame.
    /// </summary>
    const string Gone = "a method without a stack frame";

    const string Server = "Microsoft.AspNetCore.Server.Kestrel";

    /// <summary>
    /// Maximum number of application frames on the main thread for a wait to be normal: most programs wait for their end in Main or in a
    /// method that Main calls. With more frames, the wait belongs to an operation.
    /// </summary>
    public const int DepthOfMain = 2;

    readonly ImmutableArray<FrameName> frames;
    readonly bool running;

    // Indexes of frames, -1 for none. user: the innermost frame outside the runtime. place: the representing frame, see Frame.
    // caller: the pool's frame that called the item's method, if this method has no frame and the stack no user code.
    readonly int user;
    readonly int place;
    readonly int caller;

    StackClassifier(SampledStack stack, ImmutableHashSet<string>? own)
    {
        // An assembly of the application may have a name like the framework's.
        frames = WithoutIterators([.. stack.Frames.Select(FrameName.Of)
            .Select(f => own?.Contains(f.Module) == true ? f with { IsRuntime = false } : f)]);
        running = stack.Running;
        user = frames.Innermost(f => !f.IsRuntime);
        var dispatch = frames.Outermost(f => f is { IsRuntime: true, Type: "ThreadPoolWorkQueue", Method: "Dispatch" });
        IsWorker = frames.Outermost(f => f is { IsRuntime: true, Method: "WorkerThreadStart" }) >= 0;

        // Between two items, a worker thread searches for the next item and is not blocked.
        IsAtWork = IsWorker && dispatch > 0 && (user >= 0 || !ItemDispatchFrames.IsOfThePool(frames[dispatch - 1]));
        caller = user < 0 && dispatch > 0 ? ItemDispatchFrames.Caller(frames, dispatch) : -1;
        place = Own(own) is >= 0 and var first ? first : user >= 0 ? user : caller >= 0 ? caller
            : dispatch > 0 ? ItemDispatchFrames.Item(frames, dispatch) : frames.Length - 1;
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
        Entry = user >= 0 && user < place ? Name(frames.NextInward(place - 1, f => !f.IsRuntime), f => f.Short) : null;
        Call = Kind == BlockKind.Cpu ? null : user > 0 ? frames[user - 1].Short : IsGone ? frames[caller - 1].Short : null;
        HasOwnCode = Own(own) >= 0;
        OwnDepth = frames.Count(f => IsOwn(f, own));
        (Home, HomeName) = HomeOf(own);
        HoldsRequest = frames.Innermost(f => f.Method == "ProcessRequests" && f.Space.StartsWith(Server, StringComparison.Ordinal)) > place;
    }

    public bool IsWorker { get; }

    /// <summary>Whether the thread is outside the pool: its outermost frame is visible, and is not that of a worker thread.</summary>
    public bool IsOutside => !IsWorker && frames is [.., { IsRuntime: true, Space: "System.Threading.Thread" }];

    /// <summary>Whether the thread is a worker thread that runs an item.</summary>
    public bool IsAtWork { get; }

    /// <summary>Whether Kestrel is a caller of <see cref="Frame"/>: the request has then been on this thread since its start.</summary>
    public bool HoldsRequest { get; }

    /// <summary>Whether the stack has code of the application or of a package.</summary>
    public bool HasUserCode => user >= 0;

    public BlockKind Kind { get; }

    /// <summary>The representing frame: the innermost frame of the application; without one, of a package, or of the runtime.</summary>
    public string Frame { get; }

    /// <summary>The representing frame without its namespace.</summary>
    public string Brief { get; }

    /// <summary>Whether the representing frame is an unnamed delegate or missing.</summary>
    public bool IsNameless => place >= 0 && (frames[place].IsCompiled || IsGone);

    /// <summary>Whether the blocking method has no frame, because it ended with a tail call or is inlined into the pool's code.</summary>
    public bool IsGone => caller >= 0 && place == caller;

    public bool HasOwnCode { get; }

    /// <summary>Number of frames of the application's own code.</summary>
    public int OwnDepth { get; }

    /// <summary>The origin of the thread, by the code that is called first on the thread.</summary>
    public ThreadOrigin Home { get; }

    /// <summary>The library that started the thread; empty for other origins.</summary>
    public string HomeName { get; }

    /// <summary>The representing frame, and the names of the calls from this frame to the blocking call.</summary>
    public CallPath Path => new(Brief, place < 0 ? "?" : Name(place, f => f.Bare),
        !IsNameless && place >= 0 && frames[place] is { Form: FrameMethodKind.Lambda, IsStateMachine: false },
        [.. new[] { Entry, Call }.OfType<string>()]);

    public string Chain => Path.ToString();

    /// <summary>Whether the thread, a worker thread or another, waits for new work.</summary>
    public bool IsWaitingForWork { get; }

    /// <summary>Whether the thread is a worker thread whose item waits for new work, as a consumer's loop does.</summary>
    public bool IsParked { get; }

    public Resource Resource { get; }

    /// <summary>
    /// Whether the representing frame calls an asynchronous library method that blocks. Null if unknown, because the frame is no state
    /// machine: it may use runtime async, or a synchronous method such as MySqlConnection.Open was inlined into it.
    /// </summary>
    public bool? AwaitsAlready { get; }

    /// <summary>The call by which the representing frame enters a package that waits; null if the frame itself waits.</summary>
    public string? Entry { get; }

    /// <summary>The blocking call; null when the thread computes, or the call has no frame.</summary>
    public string? Call { get; }

    /// <summary>The frames as text, innermost first.</summary>
    public ImmutableArray<string> Frames => [.. Enumerable.Range(0, frames.Length).Select(i => Plain(i, f => f.Full))];

    /// <summary>Classifies a stack; <paramref name="own"/> are the application's own assemblies, null if unknown.</summary>
    public static StackClassifier Of(SampledStack stack, ImmutableHashSet<string>? own = null) => new(stack, own);

    // Index of the application's innermost frame, or -1. A delegate compiled for an endpoint counts, because it contains the action.
    int Own(ImmutableHashSet<string>? own) => Enumerable.Range(0, frames.Length)
        .FirstOrDefault(at => frames[at].IsCompiled ? IsEndpoint(at) : IsOwn(frames[at], own), -1);

    static bool IsOwn(FrameName f, ImmutableHashSet<string>? own) => own?.Contains(f.Module) ?? !f.IsRuntime;


    (ThreadOrigin Home, string Name) HomeOf(ImmutableHashSet<string>? own)
    {
        var first = frames.Outermost(f => !f.IsRuntime);
        return IsWorker ? (ThreadOrigin.Pool, "")
            : first < 0 ? (ThreadOrigin.Program, "")
            : frames[first].Method == "Finalize" ? (ThreadOrigin.Finalizer, "")
            : frames.Skip(first).Any(f => f is { Type: "SocketAsyncEngine", Method: "EventLoop" }) ? (ThreadOrigin.Sockets, "")
            : !IsOwn(frames[first], own) ? (ThreadOrigin.Library, frames[first].Module)
            : frames[first].Method == "Main" ? (ThreadOrigin.Main, "")
            : (ThreadOrigin.Program, "");
    }

    bool IsEndpoint(int at)
    {
        var caller = CallerOf(at);
        return frames[at].IsCompiled && caller < frames.Length && (IsServer(frames[caller]) || IsMiddleware(caller));
    }

    // Whether the frame is a middleware that called the endpoint's delegate: the real caller may have no frame because of a tail call.
    // Then no frame farther out calls an endpoint.
    bool IsMiddleware(int at) =>
        frames.NextOutward(at, f => f.IsRuntime && !IsBuilder(f)) is var server && server < frames.Length && IsServer(frames[server])
        && !frames.Skip(at).Any(f => f.IsCompiled || CallsEndpoints(f));

    static bool IsServer(FrameName f) => f.Space.StartsWith("Microsoft.AspNetCore", StringComparison.Ordinal);

    static bool CallsEndpoints(FrameName f) =>
        f.Type == "EndpointMiddleware" || f.Space.StartsWith("Microsoft.AspNetCore.Mvc", StringComparison.Ordinal);

    string Name(int at, Func<FrameName, string> name) => IsGone && at == place ? Gone : Plain(at, name);

    string Plain(int at, Func<FrameName, string> name) => !frames[at].IsCompiled ? name(frames[at])
        : !IsEndpoint(at) ? Compiled
        : frames[CallerOf(at)].Space.StartsWith(Hubs, StringComparison.Ordinal) ? HubMethod : Endpoint;

    // Index of the caller of a compiled delegate; other delegates that contain this delegate are skipped.
    int CallerOf(int at) => frames.NextOutward(at + 1, f => !f.IsCompiled && !IsBuilder(f));

    // The frame that a frame calls, without the compiler's method builders; not for the innermost frame.
    FrameName CalledBy(int at) => frames[Math.Max(0, frames.NextInward(at - 1, f => !IsBuilder(f)))];

    // Clears IsStateMachine for iterators: async methods and iterators both run as MoveNext, and only their callers distinguish them.
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

    // Input and output are tested before waits for a handle, because a handle wait inside a socket call belongs to the socket.
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
/// Calls that wait for new work: a loop around such a call is idle when there is no work, and blocks nothing. Contains the calls of the
/// most common packages, but no task wait, which does not show what is awaited.
/// </summary>
static class ParkedCalls
{
    /// <summary>Type names without type arguments, and prefixes of method names.</summary>
    static readonly (string Type, string Method)[] Known =
    [
        ("BlockingCollection", "Take"), ("BlockingCollection", "TryTake"), ("BlockingCollection", "GetConsumingEnumerable"),
        ("Socket", "Accept"), ("TcpListener", "Accept"), ("HttpListener", "GetContext"), ("UdpClient", "Receive"),
        ("NamedPipeServerStream", "WaitForConnection"), ("FileSystemWatcher", "WaitForChanged"),
        ("Console", "Read"), ("ConsoleStream", "Read"),
        ("Consumer", "Consume"), ("SafeKafkaHandle", "ConsumerPoll"), ("SharedQueue", "Dequeue"), ("MessageQueue", "Receive"),
    ];

    /// <summary>Whether one of the frames is a call that waits for new work.</summary>
    public static bool IsIn(IEnumerable<FrameName> frames) => frames.Any(f => Known.Any(
        k => f.Type.Split('`')[0] == k.Type && f.Method.StartsWith(k.Method, StringComparison.Ordinal)));
}

/// <summary>Searches the frames of a stack, which begins with the innermost.</summary>
static class FrameSearch
{
    /// <summary>The index of the innermost matching frame; -1 where there is none.</summary>
    public static int Innermost(this ImmutableArray<FrameName> frames, Predicate<FrameName> wanted) =>
        Array.FindIndex(ImmutableCollectionsMarshal.AsArray(frames)!, wanted);

    /// <summary>The index of the outermost matching frame; -1 where there is none.</summary>
    public static int Outermost(this ImmutableArray<FrameName> frames, Predicate<FrameName> wanted) =>
        Array.FindLastIndex(ImmutableCollectionsMarshal.AsArray(frames)!, wanted);

    /// <summary>The index of the next matching frame outward from a frame; the number of frames where there is none.</summary>
    public static int NextOutward(this ImmutableArray<FrameName> frames, int from, Predicate<FrameName> wanted) =>
        Array.FindIndex(ImmutableCollectionsMarshal.AsArray(frames)!, from, wanted) is >= 0 and var found ? found : frames.Length;

    /// <summary>The index of the next matching frame inward from a frame; -1 where there is none.</summary>
    public static int NextInward(this ImmutableArray<FrameName> frames, int from, Predicate<FrameName> wanted) =>
        Array.FindLastIndex(ImmutableCollectionsMarshal.AsArray(frames)!, from, wanted);
}

/// <summary>Recognises waits by frames of the runtime; as seen on .NET 8 to 11.</summary>
static class WaitFrames
{
    /// <summary>Whether the frame blocks its thread until a task completes (Wait, Result, GetResult), which the pool detects.</summary>
    public static bool IsForTask(FrameName f) =>
        f is { Type: "Task", Method: "SpinThenBlockingWait" or "InternalWaitCore" or "InternalWait" }
            or { Type: "TaskAwaiter", Method: "HandleNonSuccessAndDebuggerNotification" };

    /// <summary>
    /// Whether the frame is a wait for a monitor or a lock that another thread holds, or for a type that another thread initializes; not
    /// Monitor.Wait.
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

    /// <summary>Whether the frame is input or output: sockets, streams, files, pipes, name resolution, other processes.</summary>
    public static bool IsIo(FrameName f) =>
        f.Space.StartsWith("System.Net", StringComparison.Ordinal) || f.Space.StartsWith("System.IO", StringComparison.Ordinal)
        || (f.Space.StartsWith("Interop.Sys", StringComparison.Ordinal) && !IsLowLevelMonitor(f))
        || f is { Type: "Process", Method: "WaitForExit" or "WaitForExitCore" };

    /// <summary>Whether the frame is a wait for an event, a semaphore or another thread.</summary>
    public static bool IsForHandle(FrameName f) =>
        f is { Type: "Monitor", Method: "Wait" or "ObjWait" } or { Type: "Thread", Method: "Join" or "JoinInternal" }
        || IsLowLevelMonitor(f)
        || f.Space.StartsWith("System.Threading.WaitSubsystem", StringComparison.Ordinal)
        || f is { Type: "GC", Method: "WaitForPendingFinalizers" or "_WaitForPendingFinalizers" }
        || f.Type is "WaitHandle" or "ManualResetEventSlim" or "SemaphoreSlim" or "Barrier"
            or "CountdownEvent" or "WaitSubsystem" or "LowLevelLifoSemaphore";

    // In .NET 11, the innermost frames of a wait are Interop.Sys.LowLevelMonitor_TimedWait, or a stub in a type of this name.
    static bool IsLowLevelMonitor(FrameName f) =>
        f.Space.StartsWith("Interop.Sys.LowLevelMonitor", StringComparison.Ordinal)
        || (f.Space == "Interop.Sys" && f.Method.StartsWith("LowLevelMonitor", StringComparison.Ordinal));
}

/// <summary>
/// Recognises the frames through which the pool calls an item's method. Also detects that the method has no frame of its own: it made a
/// tail call, or the JIT compiler inlined it into the pool's code.
/// </summary>
static class ItemDispatchFrames
{
    /// <summary>Whether the frame is the pool's own work between two items, such as counting or the search for the next item.</summary>
    public static bool IsOfThePool(FrameName f) => !IsDispatch(f)
        && (f.Type.StartsWith("ThreadPoolWorkQueue", StringComparison.Ordinal) || f.Type == "ThreadPool"
            || f.Space.Contains("PortableThreadPool", StringComparison.Ordinal));

    /// <summary>
    /// Index of the pool's frame that called an item's method, if this method has no frame of its own; otherwise, or if uncertain, -1. The
    /// method has no frame if the pool seems to call a wait: no framework queues a wait as an item.
    /// </summary>
    public static int Caller(ImmutableArray<FrameName> frames, int dispatch)
    {
        var at = LastCall(frames, dispatch);
        return at > 0 && IsWait(frames[at - 1]) ? at : -1;
    }

    /// <summary>Index of the item's method, called by the pool, on a stack whose frames all belong to the framework.</summary>
    public static int Item(ImmutableArray<FrameName> frames, int dispatch) => Math.Max(0, LastCall(frames, dispatch) - 1);

    // Index of the innermost frame through which the pool calls an item's method.
    static int LastCall(ImmutableArray<FrameName> frames, int dispatch) => frames.NextInward(dispatch - 1, f => !IsCall(f)) + 1;

    // The method that calls one item, from .NET 10 on.
    static bool IsDispatch(FrameName f) => f is { Type: "ThreadPoolWorkQueue", Method: "DispatchWorkItem" };

    static bool IsCall(FrameName f) => IsDispatch(f)
        || f.Type.StartsWith("QueueUserWorkItemCallback", StringComparison.Ordinal) || f.Type == "ExecutionContext"
        || f is { Type: "Task", Method: "InnerInvoke" or "ExecuteWithThreadLocal" or "ExecuteEntryUnsafe" or "ExecuteFromThreadPool" };

    static bool IsWait(FrameName f) => f.Space is "System.Threading.Thread" or "System.Threading.Tasks.Task"
        or "System.Threading.Monitor" or "System.Threading.SemaphoreSlim" or "System.Threading.ManualResetEventSlim"
        or "System.Threading.WaitHandle" or "System.Threading.Barrier" or "System.Threading.CountdownEvent";
}

/// <summary>
/// Determines from library frames which resource a blocking call waits for; the frames are those of .NET 8 to 11 and of the newest versions
/// of the packages.
/// </summary>
static class ResourceFrames
{
    static readonly ImmutableArray<BlockKind> Handles = [BlockKind.Wait, BlockKind.Task];

    static readonly ImmutableArray<string> Dns = ["System.Net.Dns.", "System.Net.NameResolutionPal."];

    /// <summary>
    /// Frames of a parallel loop, which are callers of the blocked method. Each replica of a loop queues the next replica, so that a loop
    /// takes all available threads.
    /// </summary>
    static readonly ImmutableArray<string> Loop = ["System.Threading.Tasks.Parallel.", "System.Threading.Tasks.TaskReplicator"];

    static readonly ImmutableArray<string> Query = ["System.Linq.Parallel."];

    /// <summary>The rules; the first match counts. The rules of locks come after those of resources that a lock may guard.</summary>
    static readonly ImmutableArray<Row> Table =
    [
        new(Resource.CertificateStatus) { Frames = ["System.Security.Cryptography.X509Certificates."] },
        new(Resource.NpgsqlConnection) { Frames = ["Npgsql.PoolingDataSource", "Npgsql.ConnectorPool"], Kinds = Handles },
        new(Resource.SqlClientConnection)
        {
            Frames =
            [
                "ProviderBase.DbConnectionPool", "ConnectionPool.WaitHandleDbConnectionPool", "ConnectionPool.ChannelDbConnectionPool",
            ],
            Kinds = Handles,
        },
        new(Resource.MySqlConnection) { Frames = ["MySqlConnector.Core.ConnectionPool"], Kinds = Handles },
        new(Resource.HttpConnection)
        {
            // Synchronous calls wait in one of two ways.
            Frames = ["System.Net.Http.HttpConnectionWaiter", "TaskCompletionSourceWithCancellation.WaitWithCancellation"],
            Kinds = Handles,
        },

        // The rule above needs a frame that may be missing. A task wait here is for a connection: a wait for a response is in the socket.
        new(Resource.HttpConnection) { Frames = ["HttpConnectionPool.SendWithVersionDetectionAndRetry"], Kinds = [BlockKind.Task] },
        new(Resource.StandardOutput)
        {
            Frames =
            [
                "System.Console.Write", "System.ConsolePal.", "System.IO.ConsoleStream", "SyncTextWriter.Write", "ConsoleLoggerProcessor",
            ],
        },
        new(Resource.AwaitedNameService) { Frames = Dns, IsOfNobody = true },
        new(Resource.NameService) { Frames = Dns },
        new(Resource.OtherProcess) { Frames = ["System.Diagnostics.Process.WaitForExit", "System.Diagnostics.ProcessWaitState."] },
        new(Resource.Redis) { Frames = ["StackExchange.Redis."] },
        new(Resource.CollectionSpace)
        {
            Frames = ["System.Collections.Concurrent.BlockingCollection.Add", "System.Collections.Concurrent.BlockingCollection.TryAdd"],
        },
        new(Resource.CollectionItem) { Frames = ["System.Collections.Concurrent.BlockingCollection."] },
        new(Resource.DatabaseFile) { Frames = ["Microsoft.Data.Sqlite.", "SQLitePCL.", "System.Data.SQLite."] },
        new(Resource.Finalizers) { Frames = ["System.GC.WaitForPendingFinalizers", "System.GC._WaitForPendingFinalizers"] },
        new(Resource.StaticConstructor)
        {
            Frames = ["CompilerServices.InitHelpers.", "CompilerServices.StaticsHelpers.", "CompilerServices.ClassConstructorRunner."],
        },
        new(Resource.LazyValue) { Frames = ["System.Lazy."], Kinds = [BlockKind.Lock] },
        new(Resource.ReadLock)
        {
            Frames =
            [
                "ReaderWriterLockSlim.EnterReadLock", "ReaderWriterLockSlim.TryEnterReadLock", "ReaderWriterLock.AcquireReaderLock",
            ],
        },
        new(Resource.WriteLock) { Frames = ["System.Threading.ReaderWriterLock"] },
        new(Resource.Lock) { Kinds = [BlockKind.Lock] },
        new(Resource.Semaphore) { Frames = ["SemaphoreSlim.Wait"] },
        new(Resource.AllTasks) { Frames = ["System.Threading.Tasks.Task.WaitAll"], Kinds = [BlockKind.Wait] },
        new(Resource.Thread) { Frames = ["System.Threading.Thread.Join"] },
        new(Resource.ParallelQuery) { Frames = Query, IsAround = true },
        new(Resource.ParallelLoop) { Frames = Loop, IsAround = true },
        new(Resource.Sleep) { Kinds = [BlockKind.Sleep] },
        new(Resource.Socket) { Frames = ["System.Net.Sockets.", "System.Net.Security."] },
        new(Resource.Socket) { Frames = ["System.Net.Http."], Kinds = [BlockKind.Io] },
        new(Resource.Pipe) { Frames = ["System.IO.Pipes."] },
        new(Resource.AwaitedFile) { Frames = ["ThreadPoolValueTaskSource"], IsAround = true },
        new(Resource.FileOpen)
        {
            Frames = ["SafeFileHandle.Open", "SafeFileHandle.Init", "Interop.Sys.Open"],
            Kinds = [BlockKind.Io, BlockKind.Native, BlockKind.Unseen],
        },
        new(Resource.File)
        {
            Frames = ["System.IO.FileStream", "System.IO.RandomAccess", "System.IO.File.", "System.IO.Strategies.", "SafeFileHandle."],
            Kinds = [BlockKind.Io, BlockKind.Native, BlockKind.Unseen],
        },
        new(Resource.InputOutput) { Kinds = [BlockKind.Io] },
    ];

    /// <summary>Whether the resource is a connection of a library's pool, which limits the number of connections.</summary>
    public static bool IsLimitedConnection(Resource resource) =>
        resource is Resource.NpgsqlConnection or Resource.SqlClientConnection or Resource.MySqlConnection;

    /// <summary>Returns the resource that a blocking call waits for.</summary>
    /// <param name="kind">The kind of wait.</param>
    /// <param name="frames">The whole stack, innermost first.</param>
    /// <param name="place">Index of the representing frame; its callers do not count, except if <see cref="Row.IsAround"/>.</param>
    /// <param name="isOfNobody">Whether the stack has no code of the program.</param>
    public static Resource Of(BlockKind kind, ImmutableArray<FrameName> frames, int place, bool isOfNobody)
    {
        if (kind == BlockKind.Cpu)
        {
            return Resource.Processor;
        }

        string[] around = [.. frames.Select(f => f.Full)];
        var inner = around[..Math.Clamp(place + 1, 0, around.Length)];
        return Table.FirstOrDefault(row => row.Fits(kind, row.IsAround ? around : inner, isOfNobody))?.Resource ?? kind.UsualResource();
    }

    /// <summary>One rule by which a resource is recognised.</summary>
    sealed record Row(Resource Resource)
    {
        /// <summary>Parts of frame names, one of which must be on the stack; if empty, the kind of wait decides alone.</summary>
        public ImmutableArray<string> Frames { get; init; } = [];

        /// <summary>The kinds of wait that match; if empty, any kind.</summary>
        public ImmutableArray<BlockKind> Kinds { get; init; } = [];

        /// <summary>Whether the frames may also be callers of the representing frame.</summary>
        public bool IsAround { get; init; }

        /// <summary>Whether the rule requires a stack without code of the program.</summary>
        public bool IsOfNobody { get; init; }

        public bool Fits(BlockKind kind, string[] names, bool isOfNobody) =>
            (Kinds.IsEmpty || Kinds.Contains(kind)) && (isOfNobody || !IsOfNobody)
            && (Frames.IsEmpty || names.Any(name => Frames.Any(part => name.Contains(part, StringComparison.Ordinal))));
    }
}
