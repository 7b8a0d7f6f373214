using System.Diagnostics;
using Microsoft.Diagnostics.Runtime;
using Tpwatch.Reports;
using Tpwatch.Stacks.Holders;

namespace Tpwatch.Inside;

/// <summary>
/// Reads a pool from the memory of its process, which runs on. It reads twice and keeps of each thread what both readings say; the second
/// counts for the queue.
/// </summary>
sealed class InsideReader
{
    readonly ClrRuntime runtime;
    readonly ObjectReader objects;
    readonly TaskChains chains;
    readonly ThreadReader threads;
    readonly LiveTasks? tasks;
    readonly LiveMemory? live;
    readonly List<InsideUnknown> unknown = [];
    readonly QueueReader? queue;

    /// <param name="runtime">The target's runtime as the debugging library sees it.</param>
    /// <param name="live">Its memory; null of a dump.</param>
    public InsideReader(ClrRuntime runtime, LiveMemory? live)
    {
        (this.runtime, this.live) = (runtime, live);
        objects = new(runtime, runtime.DataTarget.DataReader);
        chains = new(runtime, objects);
        tasks = live is null ? null : new(live.ProcessId);
        threads = new(runtime, objects, chains, tasks);
        queue = Try(InsidePart.Queue, () => new QueueReader(runtime, objects, chains));
    }

    /// <summary>Reads everything; <paramref name="scan"/> searches the heap for who completes a promise.</summary>
    public InsideReading Read(bool scan)
    {
        var at = Stopwatch.GetTimestamp();
        Pass();
        if (scan && live is not null && chains.Unresolved.Count > 0)
        {
            chains.Backward = HeapScan.Find(runtime, live, objects, chains.Unresolved);
        }

        var first = Pass().Threads.ToDictionary(t => t.OsId, t => t.Key);
        var (counted, second) = Pass();
        ImmutableArray<StillThread> still = [.. second.Where(t => first.TryGetValue(t.OsId, out var before) && before == t.Key)];
        return new()
        {
            At = new(Stopwatch.GetElapsedTime(0, at).Ticks * 100),
            Ms = Stopwatch.GetElapsedTime(at).TotalMilliseconds,
            Limits = Try(InsidePart.Limits, Limits),
            Queue = counted is null ? null : counted with { Kinds = Try(InsidePart.Queue, () => queue!.Kinds()) is { IsDefault: false } kinds ? kinds : [] },
            Waits = Waits(still),
            Stacks =
            [
                .. still.GroupBy(t => string.Join('\n', t.Frames)).OrderByDescending(g => g.Count())
                    .Select(g => new InsideStack([.. g.Select(t => t.OsId)], g.First().Frames)),
            ],
            Locks = [.. still.Where(t => t.LockOwner is not null).Select(t => new InsideLock(t.OsId, t.LockOwner!.Value))],
            Threads = threads.Counted.All,
            Running = threads.Counted.All - still.Length,
            Unknown = [.. unknown.Distinct()],
        };
    }

    (InsideQueue? Queue, ImmutableArray<StillThread> Threads) Pass()
    {
        live?.FlushCachedData();
        runtime.FlushCachedData();
        tasks?.Mark();
        if (tasks is not null)
        {
            Thread.Sleep(LiveTasks.Settle);
        }

        var counted = queue is null ? null : Try(InsidePart.Queue, queue.Read);
        chains.Queued = queue?.Items ?? new HashSet<ulong>();
        return (counted, Try(InsidePart.Stacks, threads.Read) is { IsDefault: false } read ? read : []);
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
               group t by (t.Shape.Brief, t.Shape.Call, Chain: string.Join(" > ", t.Chain?.Steps ?? []), End: End(t), owner) into g
               orderby g.Count(t => t.Shape.IsWorker) descending, g.Count() descending, g.Key.Brief
               select new InsideWait(g.Key.Brief, g.Key.Call ?? "", g.Count())
               {
                   Workers = g.Count(t => t.Shape.IsWorker),
                   Chain = g.First().Chain?.Steps ?? [],
                   End = g.Key.End,
                   DueMs = g.Max(t => t.Chain?.DueMs),
                   Owner = g.Key.owner,
               },
        ];
    }

    static WaitEnd End(StillThread t) => t.Chain?.End ?? t.Shape.Kind switch
    {
        BlockKind.Lock => WaitEnd.Lock,
        BlockKind.Sleep => WaitEnd.Sleep,
        BlockKind.Io => WaitEnd.Socket,
        _ when t.LockOwner is not null => WaitEnd.Lock,
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

/// <summary>Who points at some objects with its continuation: the words of the whole heap, read past what is kept.</summary>
static class HeapScan
{
    const int Chunk = 1 << 20;

    /// <summary>For each of <paramref name="targets"/> the tasks that would continue with it, as far as a word can say.</summary>
    public static Dictionary<ulong, List<ulong>> Find(ClrRuntime runtime, LiveMemory memory, ObjectReader objects, HashSet<ulong> targets)
    {
        var found = new Dictionary<ulong, List<ulong>>();
        var (low, high) = (targets.Min(), targets.Max());
        var field = (ulong)(objects.Library("System.Threading.Tasks.Task")?.GetFieldByName("m_continuationObject")?.Offset ?? 0)
            + ObjectReader.FirstField;
        var bytes = new byte[Chunk];
        foreach (var range in runtime.Heap.Segments.Select(s => s.ObjectRange))
        {
            for (var at = range.Start; at < range.End; at += Chunk)
            {
                var count = memory.ReadPast(at, bytes.AsSpan(0, (int)Math.Min(Chunk, range.End - at)));
                var words = System.Runtime.InteropServices.MemoryMarshal.Cast<byte, ulong>(bytes.AsSpan(0, count & ~7));
                for (var i = 0; i < words.Length; i++)
                {
                    if (words[i] >= low && words[i] <= high && targets.Contains(words[i]))
                    {
                        (found.TryGetValue(words[i], out var list) ? list : found[words[i]] = []).Add(at + (ulong)(8 * i) - field);
                    }
                }
            }
        }

        return found;
    }
}
