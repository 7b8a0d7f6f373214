using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>
/// Determines from library frames which resource a blocking call waits for; the frames are those of .NET 8 to 11 and of the newest versions
/// of the packages.
/// </summary>
static class ResourceFrames
{
    static readonly ImmutableArray<BlockKind> Handles = [BlockKind.Wait, BlockKind.Task];

    static readonly ImmutableArray<string> Dns = ["System.Net.Dns.", "System.Net.NameResolutionPal."];

    /// <summary>
    /// Frames of a parallel loop. Each replica of a loop queues the next replica, so a loop takes all available threads. The frames that
    /// call the loop's body are callers of the blocking place.
    /// </summary>
    static readonly ImmutableArray<string> Loop = ["System.Threading.Tasks.Parallel.", "System.Threading.Tasks.TaskReplicator"];

    static readonly ImmutableArray<string> Query = ["System.Linq.Parallel."];

    /// <summary>The rules. The first match counts: a resource comes before the lock or semaphore that guards the resource.</summary>
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

        // The waiting frame itself may be missing. When waiting for a response, synchronous calls wait in the socket instead.
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
    /// <param name="place">Index of the application's own frame; its callers do not count, except for <see cref="Row.IsAround"/>.</param>
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

        /// <summary>Whether the frames may be callers of the blocking place.</summary>
        public bool IsAround { get; init; }

        /// <summary>Whether the rule requires a stack without code of the program.</summary>
        public bool IsOfNobody { get; init; }

        public bool Fits(BlockKind kind, string[] names, bool isOfNobody) =>
            (Kinds.IsEmpty || Kinds.Contains(kind)) && (isOfNobody || !IsOfNobody)
            && (Frames.IsEmpty || names.Any(name => Frames.Any(part => name.Contains(part, StringComparison.Ordinal))));
    }
}
