namespace Tpwatch.Reports;

/// <summary>What a call that blocks a worker thread waits for.</summary>
public enum Resource
{
    /// <summary>Whether a certificate is revoked: the answer of the server that knows.</summary>
    CertificateStatus,

    /// <summary>A connection of Npgsql's pool, which is limited always.</summary>
    NpgsqlConnection,

    /// <summary>A connection of SqlClient's pool, which is limited always.</summary>
    SqlClientConnection,

    /// <summary>A connection of MySqlConnector's pool, which is limited always.</summary>
    MySqlConnection,

    /// <summary>A connection of HttpClient's pool, which is limited only where the program sets a limit.</summary>
    HttpConnection,

    /// <summary>The console.</summary>
    StandardOutput,

    /// <summary>An answer of the name service, by a synchronous call.</summary>
    NameService,

    /// <summary>The same by an asynchronous call, for which the framework blocks a worker thread.</summary>
    AwaitedNameService,

    /// <summary>The end of another process.</summary>
    OtherProcess,

    /// <summary>An answer of a Redis server, by a synchronous call.</summary>
    Redis,

    /// <summary>Room in a collection that is full.</summary>
    CollectionSpace,

    /// <summary>An item of a collection.</summary>
    CollectionItem,

    /// <summary>Room in a channel that is full.</summary>
    ChannelSpace,

    /// <summary>A database file: SQLite has no asynchronous calls.</summary>
    DatabaseFile,

    /// <summary>Finalizers that the collector has found due.</summary>
    Finalizers,

    /// <summary>The lock of a type whose static constructor runs.</summary>
    StaticConstructor,

    /// <summary>The lock of a <see cref="Lazy{T}"/> whose value is being made.</summary>
    LazyValue,

    /// <summary>A lock that several readers have at once.</summary>
    ReadLock,

    /// <summary>The same for writing, or upgradeable.</summary>
    WriteLock,

    /// <summary>A lock.</summary>
    Lock,

    /// <summary>A semaphore.</summary>
    Semaphore,

    /// <summary>The end of another thread.</summary>
    Thread,

    /// <summary>A parallel query (PLINQ), which takes every worker thread there is.</summary>
    ParallelQuery,

    /// <summary>A parallel loop, which takes every worker thread there is.</summary>
    ParallelLoop,

    /// <summary>A sleep.</summary>
    Sleep,

    /// <summary>A socket.</summary>
    Socket,

    /// <summary>A pipe.</summary>
    Pipe,

    /// <summary>A file, by an asynchronous call, for which the framework blocks a worker thread.</summary>
    AwaitedFile,

    /// <summary>A file that is being opened.</summary>
    FileOpen,

    /// <summary>A file.</summary>
    File,

    /// <summary>Input or output that is none of these.</summary>
    InputOutput,

    /// <summary>A task.</summary>
    Task,

    /// <summary>A mutex.</summary>
    Mutex,

    /// <summary>An event.</summary>
    Event,

    /// <summary>A processor: it runs.</summary>
    Processor,

    /// <summary>A lock or native code, which look alike before .NET 10.</summary>
    LockOrNative,

    /// <summary>Not known: between the program's code and the wait there is no frame.</summary>
    Unseen,

    /// <summary>Native code.</summary>
    Native,
}

/// <summary>Of the samples at one place, how many waited for that: 0 to 1.</summary>
readonly record struct ResourceShare(Resource Resource, double Share);

/// <summary>What waits of a kind are mostly for.</summary>
static class BlockKinds
{
    /// <summary>What is waited for where nothing but the kind of the wait is known.</summary>
    public static Resource UsualResource(this BlockKind kind) => kind switch
    {
        BlockKind.Task => Resource.Task,
        BlockKind.Lock => Resource.Lock,
        BlockKind.Wait => Resource.Event,
        BlockKind.Sleep => Resource.Sleep,
        BlockKind.Io => Resource.InputOutput,
        BlockKind.Unseen => Resource.Unseen,
        BlockKind.Cpu => Resource.Processor,
        _ => Resource.Native,
    };
}
