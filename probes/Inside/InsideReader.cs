using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Inside;

/// <summary>
/// Reads a pool from the memory of its process, which runs on. It reads twice and keeps of each thread what both readings say; the second
/// counts for the queue.
/// </summary>
sealed class InsideReader
{
    const int Levels = 2;

    /// <summary>A search begins no later: another takes as long, and the readings behind it must fit into the reader's 5 s.</summary>
    static readonly TimeSpan ScansUntil = TimeSpan.FromSeconds(1.5);

    readonly ClrRuntime runtime;
    readonly TimeProvider time;
    readonly LiveTasks? tasks;
    readonly LiveMemory? live;
    readonly List<InsideUnknown> unknown = [];

    /// <param name="runtime">The target's runtime as the debugging library sees it.</param>
    /// <param name="live">Its memory; null of a dump.</param>
    /// <param name="time">Reads the machine's monotonic clock, by which the target's timers run too.</param>
    public InsideReader(ClrRuntime runtime, LiveMemory? live, TimeProvider time)
    {
        (this.runtime, this.live, this.time) = (runtime, live, time);
        tasks = live is null ? null : new(live.ProcessId);
    }

    /// <summary>Reads everything; <paramref name="scan"/> searches the heap for who completes a promise.</summary>
    public InsideReading Read(bool scan)
    {
        var at = time.GetTimestamp();
        var first = Look(backward: null);
        // A promise lies in its source, and that in whose code completes it.
        for (var level = 0; scan && live is not null && level < Levels && first.Unresolved.Count > 0
            && time.GetElapsedTime(at) < ScansUntil; level++)
        {
            first = Look(HeapScan.Find(runtime, live, first));
        }

        var second = live is null ? first : Look(first.Backward);
        var before = first.Threads.ToDictionary(t => t.OsId, t => t.Key);
        ImmutableArray<StillThread> still = [.. second.Threads.Where(t => before.TryGetValue(t.OsId, out var key) && key == t.Key)];
        return new()
        {
            At = new(time.GetElapsedTime(0, at).Ticks * 100),
            Ms = time.GetElapsedTime(at).TotalMilliseconds,
            Limits = Try(InsidePart.Limits, Limits),
            Queue = second.Queue,
            Waits = Waits(still),
            Stacks =
            [
                .. still.GroupBy(t => string.Join('\n', t.Frames)).OrderByDescending(g => g.Count())
                    .Select(g => new InsideStack([.. g.Select(t => t.OsId)], g.First().Frames)),
            ],
            Locks = [.. still.Where(t => t.LockOwner is not null).Select(t => new InsideLock(t.OsId, t.LockOwner!.Value))],
            Deadlock = LockCycles.Of(
                still.Where(t => t.IsSureOfLock).GroupBy(t => t.OsId).ToDictionary(g => g.Key, g => g.First().LockOwner!.Value),
                still.GroupBy(t => t.OsId).ToDictionary(g => g.Key, g => g.First().Shape)),
            Threads = second.All,
            Running = second.All - still.Length,
            Unknown = [.. unknown.Distinct()],
        };
    }

    // Nothing that the library has given outlives its cache: an object of before is a pointer to memory that was freed.
    PoolLook Look(IReadOnlyDictionary<ulong, List<ulong>>? backward)
    {
        live?.FlushCachedData();
        if (live is not null)
        {
            runtime.FlushCachedData();
        }

        tasks?.Mark();
        if (tasks is not null)
        {
            Thread.Sleep(LiveTasks.Settle);
        }

        var objects = new ObjectReader(runtime, runtime.DataTarget.DataReader);
        var chains = new TaskChains(runtime, objects, live is null ? null : time) { Backward = backward };
        var queue = Try(InsidePart.Queue, () => new QueueReader(runtime, objects, chains));
        var counted = queue is null ? null : Try(InsidePart.Queue, queue.Read);
        chains.Queued = queue?.Items ?? chains.Queued;
        var threads = new ThreadReader(runtime, objects, chains, tasks);
        return new(counted, Try(InsidePart.Stacks, threads.Read) is { IsDefault: false } read ? read : [])
        {
            All = threads.All,
            Unresolved = chains.Unresolved,
            Backward = backward,
        };
    }

    InsideLimits? Limits() => runtime.ThreadPool is { MinThreads: > 0 } pool && pool.MaxThreads >= pool.MinThreads
        ? new(pool.MinThreads, pool.MaxThreads, pool.ActiveWorkerThreads, pool.IdleWorkerThreads)
        : throw new InsideException("the pool has no limits yet, or this runtime keeps them in another way");

    static ImmutableArray<InsideWait> Waits(ImmutableArray<StillThread> still)
    {
        var byId = still.GroupBy(t => t.OsId).ToDictionary(g => g.Key, g => g.First());
        return
        [
            .. from t in still
               where t.Shape.IsAtWork || (!t.Shape.IsWorker && t.Shape.HasUserCode)
               let owner = t.LockOwner is { } id ? Owner(id, byId.GetValueOrDefault(id)) : null
               group t by (t.Shape.Brief, t.Shape.Call, Chain: string.Join(" > ", t.Chain?.Steps ?? []), End: End(t), owner, t.Limit) into g
               orderby g.Count(t => t.Shape.IsWorker) descending, g.Count() descending, g.Key.Brief
               select new InsideWait(g.Key.Brief, g.Key.Call ?? "", g.Count())
               {
                   Workers = g.Count(t => t.Shape.IsWorker),
                   Chain = g.First().Chain?.Steps ?? [],
                   End = g.Key.End,
                   DueMs = g.Max(t => t.Chain?.DueMs),
                   Owner = g.Key.owner,
                   Limit = g.Key.Limit,
               },
        ];
    }

    static WaitEnd End(StillThread t) => t.Chain?.End ?? t.Shape.Kind switch
    {
        BlockKind.Lock => WaitEnd.Lock,
        BlockKind.Sleep => WaitEnd.Sleep,
        BlockKind.Io when t.Shape.Call?.Contains("Socket", StringComparison.Ordinal) == true => WaitEnd.Socket,
        _ when t.LockOwner is not null => WaitEnd.Lock,
        _ when t.IsForMutex => WaitEnd.Mutex,
        BlockKind.Wait when t.Shape.Call?.StartsWith("SemaphoreSlim.", StringComparison.Ordinal) == true => WaitEnd.Semaphore,
        _ => WaitEnd.Unknown,
    };

    static string Owner(int id, StillThread? owner) => owner is null
        ? string.Create(CultureInfo.InvariantCulture, $"thread {id}")
        : string.Create(CultureInfo.InvariantCulture,
            $"thread {id}, in {string.Join(" > ", new[] { owner.Shape.Brief, owner.Shape.Entry, owner.Shape.Call }.OfType<string>())}");

    T? Try<T>(InsidePart part, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (InsideException e)
        {
            unknown.Add(new(part, e.Message));
            return default;
        }
    }
}

/// <summary>The pool at one moment.</summary>
sealed record PoolLook(InsideQueue? Queue, ImmutableArray<StillThread> Threads)
{
    /// <summary>Managed threads, those included that ran.</summary>
    public int All { get; init; }

    /// <summary>Promises of which nothing points forward to who completes them, and their sources.</summary>
    public required IReadOnlySet<ulong> Unresolved { get; init; }

    /// <summary>What a search of the heap has found, see <see cref="HeapScan"/>.</summary>
    public IReadOnlyDictionary<ulong, List<ulong>>? Backward { get; init; }
}

/// <summary>Where some objects are pointed at: the words of the whole heap, read past what is kept.</summary>
static class HeapScan
{
    const int Chunk = 1 << 20;

    /// <summary>Places of one object; a promise with more callers than these is told by the first.</summary>
    const int Most = 200;

    /// <summary>For each object that a look asks about, the places that may point at it, beside those that are known.</summary>
    public static Dictionary<ulong, List<ulong>> Find(ClrRuntime runtime, LiveMemory memory, PoolLook look)
    {
        var found = look.Unresolved.ToDictionary(of => of, _ => new List<ulong>());
        foreach (var (of, places) in look.Backward ?? ImmutableDictionary<ulong, List<ulong>>.Empty)
        {
            found.TryAdd(of, places);
        }

        var (low, high) = (look.Unresolved.Min(), look.Unresolved.Max());
        var bytes = new byte[Chunk];
        foreach (var range in runtime.Heap.Segments.Select(s => s.ObjectRange))
        {
            for (var at = range.Start; at < range.End; at += Chunk)
            {
                var count = memory.ReadPast(at, bytes.AsSpan(0, (int)Math.Min(Chunk, range.End - at)));
                var words = MemoryMarshal.Cast<byte, ulong>(bytes.AsSpan(0, count & ~7));
                for (var i = 0; i < words.Length; i++)
                {
                    if (words[i] >= low && words[i] <= high && look.Unresolved.Contains(words[i])
                        && found[words[i]] is { Count: < Most } places)
                    {
                        places.Add(at + (ulong)(8 * i));
                    }
                }
            }
        }

        return found;
    }
}
