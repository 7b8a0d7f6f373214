using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>
/// What a call that blocks waits for, by frames of the library that it is in; as seen on .NET 8 to 11 and in the newest versions of the
/// packages.
/// </summary>
static class ResourceFrames
{
    static readonly ImmutableArray<BlockKind> Handles = [BlockKind.Wait, BlockKind.Task];

    static readonly ImmutableArray<string> Dns = ["System.Net.Dns.", "System.Net.NameResolutionPal."];

    /// <summary>
    /// A loop has each of its replicas queue the next one, so it takes whatever threads there are. What calls its body lies outside of
    /// the place that blocks.
    /// </summary>
    static readonly ImmutableArray<string> Loop = ["System.Threading.Tasks.Parallel.", "System.Threading.Tasks.TaskReplicator"];

    static readonly ImmutableArray<string> Query = ["System.Linq.Parallel."];

    /// <summary>The first that fits is taken: the resource before the lock or the semaphore that guards it.</summary>
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
            // Its synchronous calls wait in one of two ways.
            Frames = ["System.Net.Http.HttpConnectionWaiter", "TaskCompletionSourceWithCancellation.WaitWithCancellation"],
            Kinds = Handles,
        },

        // Their own frame may be gone. For an answer, synchronous calls wait in the socket instead.
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

    /// <summary>Whether who waits for it waits for a connection of a library's pool, of which only so many can be had.</summary>
    public static bool IsLimitedConnection(Resource resource) =>
        resource is Resource.NpgsqlConnection or Resource.SqlClientConnection or Resource.MySqlConnection;

    /// <summary>What is waited for.</summary>
    /// <param name="kind">How it is waited for.</param>
    /// <param name="frames">Of the whole stack, innermost first.</param>
    /// <param name="place">The frame of the service's own; what has called it is waited for by nobody, but for a loop.</param>
    /// <param name="isOfNobody">Whether no code of the program's is on the stack.</param>
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

    /// <summary>One way to know one.</summary>
    sealed record Row(Resource Resource)
    {
        /// <summary>Parts of frames of which one is on the stack; none: the kind alone tells.</summary>
        public ImmutableArray<string> Frames { get; init; } = [];

        /// <summary>How it is waited for; none: by whatever wait.</summary>
        public ImmutableArray<BlockKind> Kinds { get; init; } = [];

        /// <summary>Whether the frames may lie outside of the place that blocks.</summary>
        public bool IsAround { get; init; }

        /// <summary>Whether no code of the program's may be on the stack.</summary>
        public bool IsOfNobody { get; init; }

        public bool Fits(BlockKind kind, string[] names, bool isOfNobody) =>
            (Kinds.IsEmpty || Kinds.Contains(kind)) && (isOfNobody || !IsOfNobody)
            && (Frames.IsEmpty || names.Any(name => Frames.Any(part => name.Contains(part, StringComparison.Ordinal))));
    }
}
