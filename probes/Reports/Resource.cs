namespace Tpwatch.Reports;

/// <summary>The resource that a blocking call of a worker thread waits for.</summary>
public enum Resource
{
    /// <summary>The revocation status of a certificate, from the server of its issuer.</summary>
    CertificateStatus,

    /// <summary>A connection of Npgsql's pool, which always has a limit.</summary>
    NpgsqlConnection,

    /// <summary>A connection of SqlClient's pool, which always has a limit.</summary>
    SqlClientConnection,

    /// <summary>A connection of MySqlConnector's pool, which always has a limit.</summary>
    MySqlConnection,

    /// <summary>A connection of HttpClient's pool, which has a limit only if the program sets one.</summary>
    HttpConnection,

    /// <summary>The console.</summary>
    StandardOutput,

    /// <summary>An answer of the name service (DNS), by a synchronous call.</summary>
    NameService,

    /// <summary>An answer of the name service (DNS), by an asynchronous call for which the framework blocks a worker thread.</summary>
    AwaitedNameService,

    /// <summary>The end of another process.</summary>
    OtherProcess,

    /// <summary>An answer of a Redis server, by a synchronous call.</summary>
    Redis,

    /// <summary>Space in a full collection.</summary>
    CollectionSpace,

    /// <summary>An item of a collection.</summary>
    CollectionItem,

    /// <summary>Space in a full channel.</summary>
    ChannelSpace,

    /// <summary>A database file; SQLite has no asynchronous calls.</summary>
    DatabaseFile,

    /// <summary>The finalizers of objects that the garbage collector has found unreachable.</summary>
    Finalizers,

    /// <summary>The lock of a type whose static constructor is running.</summary>
    StaticConstructor,

    /// <summary>The lock of a <see cref="Lazy{T}"/> whose value is being created.</summary>
    LazyValue,

    /// <summary>A read lock, which several readers can hold at once.</summary>
    ReadLock,

    /// <summary>A write lock or an upgradeable read lock.</summary>
    WriteLock,

    /// <summary>A lock.</summary>
    Lock,

    /// <summary>A semaphore.</summary>
    Semaphore,

    /// <summary>The end of another thread.</summary>
    Thread,

    /// <summary>A parallel query (PLINQ), which uses every available worker thread.</summary>
    ParallelQuery,

    /// <summary>A parallel loop, which uses every available worker thread.</summary>
    ParallelLoop,

    /// <summary>A sleep.</summary>
    Sleep,

    /// <summary>A socket.</summary>
    Socket,

    /// <summary>A pipe.</summary>
    Pipe,

    /// <summary>A file, by an asynchronous call for which the framework blocks a worker thread.</summary>
    AwaitedFile,

    /// <summary>A file that is being opened.</summary>
    FileOpen,

    /// <summary>A file.</summary>
    File,

    /// <summary>Input or output that is none of the above.</summary>
    InputOutput,

    /// <summary>A task.</summary>
    Task,

    /// <summary>Several tasks, by Task.WaitAll: the pool does not detect the wait.</summary>
    AllTasks,

    /// <summary>A mutex.</summary>
    Mutex,

    /// <summary>An event.</summary>
    Event,

    /// <summary>No resource: the thread runs on a processor.</summary>
    Processor,

    /// <summary>A lock or native code, which cannot be distinguished before .NET 10.</summary>
    LockOrNative,

    /// <summary>Not known: the stack has no frame between the program's code and the wait.</summary>
    Unseen,

    /// <summary>Native code.</summary>
    Native,
}

/// <summary>A resource and its share of the samples at one place, 0 to 1.</summary>
readonly record struct ResourceShare(Resource Resource, double Share);

/// <summary>The usual resource of each kind of wait.</summary>
static class BlockKinds
{
    /// <summary>The resource to assume when only the kind of the wait is known.</summary>
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
