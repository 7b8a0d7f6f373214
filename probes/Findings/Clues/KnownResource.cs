using Tpwatch.Reports;
using Tpwatch.Stacks.Holders;

namespace Tpwatch.Findings.Clues;

/// <summary>What a call that blocks waits for, known by frames of the library that it is in, and what helps against that.</summary>
/// <param name="Name">What it is, as a sentence goes on with it.</param>
/// <param name="Remedy">What to do; the call follows it behind a colon.</param>
sealed record KnownResource(string Name, string Remedy)
{
    /// <summary>Parts of frames of which one is on the stack; none: the kind alone tells.</summary>
    ImmutableArray<string> Frames { get; init; } = [];

    /// <summary>How it is waited for; none: by whatever wait.</summary>
    ImmutableArray<BlockKind> Kinds { get; init; } = [];

    /// <summary>It serves only so many at a time: more threads would only wait for it as well.</summary>
    public bool IsLimited { get; init; }

    /// <summary>Whether the name says more than the call that blocks, such as <c>Thread.Sleep</c>, says by itself.</summary>
    public bool SaysMore => !Frames.IsEmpty && IsToldByName;

    bool IsToldByName { get; init; } = true;

    const string Awaiting = "Awaiting alone only moves the queue to the connection pool";

    /// <summary>The first that fits is taken: the resource before the lock or the semaphore that guards it.</summary>
    static readonly ImmutableArray<KnownResource> Table =
    [
        new("a connection of Npgsql's connection pool",
            $"{Awaiting}. Enlarge that pool too (Maximum Pool Size) or let fewer callers in, and await the call")
        {
            Frames = ConnectionPools.Npgsql,
            Kinds = ConnectionPools.Kinds,
            IsLimited = true,
        },
        new("a connection of SqlClient's connection pool",
            $"{Awaiting}. Enlarge that pool too (Max Pool Size) or let fewer callers in, and await the call")
        {
            Frames = ConnectionPools.SqlClient,
            Kinds = ConnectionPools.Kinds,
            IsLimited = true,
        },
        new("a connection of MySqlConnector's connection pool",
            $"{Awaiting}. Enlarge that pool too (Maximum Pool Size) or let fewer callers in, and await the call")
        {
            Frames = ConnectionPools.MySqlConnector,
            Kinds = ConnectionPools.Kinds,
            IsLimited = true,
        },
        new("a connection of HttpClient's connection pool",
            "Send fewer requests at once or raise MaxConnectionsPerServer, and await SendAsync instead of Send")
        {
            Frames = ConnectionPools.HttpClient,
            Kinds = ConnectionPools.Kinds,
            IsLimited = true,
        },
        new("the console, whose reader is slow or gone",
            "Make sure that something reads the output, print less, or log through a queue that does not block")
        {
            Frames =
            [
                "System.Console.Write", "System.ConsolePal.", "System.IO.ConsoleStream", "SyncTextWriter.Write", "ConsoleLoggerProcessor",
            ],
            IsLimited = true,
        },
        new("an answer from the name service (DNS)",
            "Await Dns.GetHostAddressesAsync with a timeout, and reuse connections instead of opening new ones")
        {
            Frames = ["System.Net.Dns.", "System.Net.NameResolutionPal."],
        },
        new("the end of another process", "Await WaitForExitAsync with a timeout")
        {
            Frames = ["System.Diagnostics.Process.WaitForExit", "System.Diagnostics.ProcessWaitState."],
        },
        new("an item of a BlockingCollection", "Run the consumer on a dedicated thread, or await a Channel instead")
        {
            Frames = ["System.Collections.Concurrent.BlockingCollection."],
        },
        new("a reader-writer lock", "Hold the lock for a shorter time, or read from an immutable copy without a lock")
        {
            Frames = ["System.Threading.ReaderWriterLock"],
            IsLimited = true,
            IsToldByName = false,
        },
        new("a lock", "Hold the lock for a shorter time")
        {
            Kinds = [BlockKind.Lock],
            IsLimited = true,
        },
        new("a semaphore", "Instead of Wait, await WaitAsync with a timeout (add permits only if the protected resource can take more)")
        {
            Frames = ["SemaphoreSlim.Wait"],
            IsLimited = true,
            IsToldByName = false,
        },
        new("a sleep", "Await Task.Delay instead of sleeping") { Kinds = [BlockKind.Sleep] },
        new("a socket", "Use the asynchronous call and await it, with a timeout")
        {
            Frames = ["System.Net.Sockets.", "System.Net.Security."],
        },
        new("a pipe", "Use the asynchronous call and await it, with a timeout") { Frames = ["System.IO.Pipes."] },
        new("a file", "Use the asynchronous call and await it, or let one dedicated thread do the writing")
        {
            Frames = ["System.IO.FileStream", "System.IO.RandomAccess", "System.IO.File.", "System.IO.Strategies.", "SafeFileHandle."],
            Kinds = [BlockKind.Io, BlockKind.Native],
        },
        new("input or output", "Use the asynchronous call and await it") { Kinds = [BlockKind.Io] },
        new("a task", "Await the task instead of blocking on it") { Kinds = [BlockKind.Task] },
        new("an event",
            "Await an asynchronous signal (SemaphoreSlim.WaitAsync, a TaskCompletionSource) instead of blocking on a wait handle")
        {
            Kinds = [BlockKind.Wait],
        },
        new("processors", "Run this computation on a dedicated thread, or make it cheaper") { Kinds = [BlockKind.Cpu] },
        new("a lock or native code", "Hold the lock (if this is one) for a shorter time, or run the native code on a dedicated thread")
        {
            // A lock nearly always: a min that would help native code alone is not advised.
            Frames = [HolderReport.LockOrNative],
            IsLimited = true,
            IsToldByName = false,
        },
        new("native code", "Run this native code on a dedicated thread"),
    ];

    /// <summary>
    /// A task that every worker waits for while no thread works on one: a timer of Task.Delay needs a worker to end it, as a continuation
    /// does.
    /// </summary>
    static readonly KnownResource Worker = new(
        "a task that itself needs a worker thread to complete, such as a timer or a continuation",
        "Await the task instead of blocking on it (its timer or continuation needs a worker thread too)")
    {
        Frames = [""],
    };

    /// <summary>What the workers at that place wait for; <paramref name="all"/> says what all the workers wait for.</summary>
    public static KnownResource Of(Blocker blocker, WaitsFor? all = null)
    {
        // What lies behind the service's own frame has called it, and is waited for by nobody.
        string[] inner = [.. blocker.Stack.TakeWhile(frame => frame != blocker.Frame), blocker.Frame, blocker.Call ?? ""];
        var known = Table.First(row => row.Fits(blocker.Kind, inner));
        return known.Kinds is [BlockKind.Task] && all == WaitsFor.QueuedItems ? Worker : known;
    }

    bool Fits(BlockKind kind, string[] frames) =>
        (Kinds.IsEmpty || Kinds.Contains(kind)) && (Frames.IsEmpty || (kind != BlockKind.Cpu && Frames.Any(part =>
            frames.Any(frame => frame.Contains(part, StringComparison.Ordinal)))));
}
