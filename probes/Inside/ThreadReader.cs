using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Inside;

/// <summary>A thread that does not run, with its wait.</summary>
/// <param name="OsId">The thread's OS id in tpwatch's process-id namespace.</param>
/// <param name="ManagedId">The thread's managed id.</param>
/// <param name="Frames">The frames of the stack, innermost first.</param>
/// <param name="Shape">The classified stack.</param>
sealed record WaitingThread(int OsId, int ManagedId, ImmutableArray<string> Frames, StackClassifier Shape)
{
    /// <summary>The chain from the task that the thread blocks on; null where no task was found.</summary>
    public TaskChain? Chain { get; init; }

    /// <summary>The connection limit of HttpClient's pool where the thread waits for a connection; otherwise null.</summary>
    public int? Limit { get; init; }

    public bool IsForMutex { get; init; }

    /// <summary>OS id of the thread that holds the awaited lock; null if the thread waits for no lock, or the owner is unknown.</summary>
    public int? LockOwner { get; init; }

    /// <summary>
    /// Whether <see cref="LockOwner"/> is certain: all held locks that the stack memory of the wait refers to belong to one other thread.
    /// Before .NET 10, a lock wait has no frame, so the stack memory of its caller is searched.
    /// </summary>
    public bool IsSureOfLock { get; init; }

    /// <summary>A text that is equal in two readings of a thread if the thread's stack and wait are equal.</summary>
    public string Key => string.Join('|', [.. Frames, .. Chain?.Steps ?? [], $"{Chain?.End} {LockOwner}"]);
}

/// <summary>
/// Reads the stacks of threads that, by the kernel's statistics, did not run from 10 ms before the reading until after it. The stack of a
/// running thread cannot be read without stopping the thread, and a running thread is not blocked.
/// </summary>
sealed class ThreadReader(ClrRuntime runtime, ObjectReader objects, TaskChains chains, ThreadRunDetector? tasks)
{
    const int MostFrames = 150;

    /// <summary>Maximum size of frames that are searched whole, bytes; of larger ones, the first <see cref="UsualFrames"/>.</summary>
    const ulong LargestFrames = 8192;
    const ulong UsualFrames = 1024;

    /// <summary>Number of caller frames, after the frames of the wait, that may contain the lock.</summary>
    const int FramesOfLock = 4;

    /// <summary>First major version of the runtime in which a lock stores its owner's managed thread id.</summary>
    const int FirstWithManagedOwner = 11;

    /// <summary>Number of innermost frames of a wait for a handle (WaitHandle's methods) that may contain the handle.</summary>
    const int FramesOfHandle = 8;

    const string TaskType = "System.Threading.Tasks.Task";
    const string TaskListType = "System.Collections.Generic.List<System.Threading.Tasks.Task>";
    const string MutexType = "System.Threading.Mutex";
    const string HttpPoolType = "System.Net.Http.HttpConnectionPool";
    const string LockType = "System.Threading.Lock";
    const string ReaderWriterType = "System.Threading.ReaderWriterLockSlim";

    /// <summary>Number of managed threads, including threads that ran during the reading.</summary>
    public int All { get; private set; }

    /// <summary>Reads all threads that do not run.</summary>
    public ImmutableArray<WaitingThread> Read()
    {
        var owners = new Owners(runtime, tasks);
        var found = ImmutableArray.CreateBuilder<WaitingThread>();
        foreach (var thread in runtime.Threads.Where(t => t.IsAlive))
        {
            All++;
            if (tasks?.StoodStill(thread.OSThreadId) == false)
            {
                continue;
            }

            List<Frame> frames =
            [
                .. thread.EnumerateStackTrace(includeContext: false, MostFrames).Where(f => f.Method is not null)
                    .Select(f => new Frame(f.Method!, f.StackPointer)),
            ];
            var read = frames.Count == 0 ? null : Read(thread, frames, owners);

            // The result for a thread that ran during the reading is unreliable.
            if (read is not null && tasks?.StoodStill(thread.OSThreadId) != false)
            {
                found.Add(read);
            }
        }

        return found.DrainToImmutable();
    }

    WaitingThread Read(ClrThread thread, List<Frame> frames, Owners owners)
    {
        var osId = tasks?.Outer(thread.OSThreadId) ?? (int)thread.OSThreadId;
        ImmutableArray<string> names = [.. frames.Select(f => SymbolNames.Frame(f.Method))];
        var shape = StackClassifier.Of(new SampledStack(osId, 1, Running: false, names));
        var still = new WaitingThread(osId, thread.ManagedThreadId, names, shape);

        // In optimized code, SpinThenBlockingWait is inlined in InternalWaitCore. Other innermost frames of Task belong to a task that runs
        // inline inside the wait.
        var task = frames.FindIndex(f => f.Method.Type.Name == TaskType);
        if (task >= 0 && frames[task].Method.Name?.StartsWith("WaitAll", StringComparison.Ordinal) == true)
        {
            return still with { Chain = TasksOfWaitAll(frames, task) };
        }

        task = task >= 0 && frames[task].Method.Name is "SpinThenBlockingWait" or "InternalWaitCore" ? task : -1;
        if (shape.Resource == Resource.HttpConnection)
        {
            return still with { Limit = HttpLimit(frames) };
        }

        if (shape.Resource is Resource.Event or Resource.Unseen
            && Words(frames, FramesOfHandle).Any(w => objects.TypeOf(w)?.Name == MutexType))
        {
            return still with { IsForMutex = true };
        }

        return task >= 0 ? still with { Chain = Task(frames, task) is not 0 and var of ? chains.Follow(of) : null }
            : shape.Kind is BlockKind.Lock or BlockKind.Native or BlockKind.Unseen
                ? OwnerOf(still, [.. LockOwners(frames, owners, thread).Distinct()]) : still;
    }

    // Address of the task that the thread waits for, or 0. The task is on the stack between the wait and its caller, is incomplete, and has
    // a continuation that sets the event on which the thread blocks.
    ulong Task(List<Frame> frames, int wait)
    {
        var other = 0UL;
        foreach (var word in Words(frames, PastTask(frames, wait) + 1))
        {
            if (objects.TypeOf(word) is { } type && objects.IsTask(type) && !objects.IsComplete(word, type)
                && objects.TypeOf(objects.Reference(word, type, "m_continuationObject"))?.Name is { } continuation)
            {
                if (continuation.Contains("SetOnInvokeMres", StringComparison.Ordinal))
                {
                    return word;
                }

                // When other code waits for the task too, the continuation is a list.
                other = continuation.StartsWith("System.Collections.Generic.List", StringComparison.Ordinal) ? word : other;
            }
        }

        return other;
    }

    // The chain of the tasks of Task.WaitAll, which keeps a list of the tasks that were incomplete when the wait began.
    TaskChain? TasksOfWaitAll(List<Frame> frames, int wait) => Words(frames, PastTask(frames, wait) + 1)
        .Select(word => objects.TypeOf(word) is { Name: TaskListType } type ? chains.FollowAll(word, type) : null)
        .FirstOrDefault(chain => chain is not null);

    // Index of the frame that called the wait: the innermost frame outside Task.
    static int PastTask(List<Frame> frames, int wait) =>
        frames.FindIndex(wait, f => f.Method.Type.Name != TaskType) is >= 0 and var end ? end : frames.Count;

    // Connection limit of the HttpConnectionPool whose methods are on the stack; null if it has no limit, as by default.
    int? HttpLimit(List<Frame> frames)
    {
        var end = frames.FindLastIndex(f => f.Method.Type.Name?.StartsWith(HttpPoolType, StringComparison.Ordinal) == true);
        return (end < 0 ? [] : Words(frames, end + FramesOfLock))
            .Select(word => objects.TypeOf(word) is { Name: HttpPoolType } type
                && objects.Int32(word, type, "_maxHttp11Connections") is > 0 and var limit ? limit : (int?)null)
            .FirstOrDefault(limit => limit is not null);
    }

    WaitingThread OwnerOf(WaitingThread still, int[] owners) => owners is not [var first, ..] ? still : still with
    {
        LockOwner = first,
        IsSureOfLock = owners.Length == 1
            && (still.Shape.Kind == BlockKind.Lock || runtime.ClrInfo.Version.Major < TargetFacts.FirstWithLockFrames),
    };

    IEnumerable<int> LockOwners(List<Frame> frames, Owners owners, ClrThread thread)
    {
        var end = frames.FindLastIndex(f => f.Method.Type.Name is LockType or ReaderWriterType or "System.Threading.Monitor");
        foreach (var word in Words(frames, Math.Max(0, end) + FramesOfLock))
        {
            var type = objects.TypeOf(word);
            var owner = type?.Name switch
            {
                LockType => owners.Of(objects.Int32(word, type, "_owningThreadId"),
                    runtime.ClrInfo.Version.Major >= FirstWithManagedOwner),
                ReaderWriterType => owners.Of(objects.Int32(word, type, "_writeLockOwnerId"), isManaged: true),
                _ => owners.OfMonitor(word),
            };
            if (owner is { } other && other != (tasks?.Outer(thread.OSThreadId) ?? (int)thread.OSThreadId))
            {
                yield return other;
            }
        }
    }

    IEnumerable<ulong> Words(List<Frame> frames, int end)
    {
        var (from, to) = (frames[0].StackPointer, frames[Math.Min(end, frames.Count - 1)].StackPointer);
        var bytes = new byte[to > from && to - from <= LargestFrames ? to - from : UsualFrames];
        var count = objects.Memory.Read(from, bytes);
        var seen = new HashSet<ulong>();
        for (var i = 0; i + 8 <= count; i += 8)
        {
            if (BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(i)) is var word && seen.Add(word))
            {
                yield return word;
            }
        }
    }

    readonly record struct Frame(ClrMethod Method, ulong StackPointer);

    /// <summary>Finds threads by the ids that locks store.</summary>
    sealed class Owners(ClrRuntime runtime, ThreadRunDetector? tasks)
    {
        readonly Dictionary<int, int> byManaged = runtime.Threads.Where(t => t.IsAlive).GroupBy(t => t.ManagedThreadId)
            .ToDictionary(g => g.Key, g => OsId(g.First(), tasks));

        readonly Dictionary<uint, int> byOs = runtime.Threads.Where(t => t.IsAlive).GroupBy(t => t.OSThreadId)
            .ToDictionary(g => g.Key, g => OsId(g.First(), tasks));

        readonly Lazy<Dictionary<ulong, int>> monitors = new(() =>
        {
            var byAddress = runtime.Threads.GroupBy(t => t.Address).ToDictionary(g => g.Key, g => OsId(g.First(), tasks));
            return runtime.Heap.EnumerateSyncBlocks().Where(s => s.IsMonitorHeld && byAddress.ContainsKey(s.HoldingThreadAddress))
                .GroupBy(s => s.Object).ToDictionary(g => g.Key, g => byAddress[g.First().HoldingThreadAddress]);
        });

        public int? Of(int id, bool isManaged) => id <= 0 ? null
            : isManaged ? (byManaged.TryGetValue(id, out var os) ? os : null)
            : byOs.TryGetValue((uint)id, out var outer) ? outer : byManaged.TryGetValue(id, out var managed) ? managed : null;

        /// <summary>OS id of the thread that holds an object's Monitor; null if none. On .NET 11, sync blocks lack the holder.</summary>
        public int? OfMonitor(ulong word) => monitors.Value.TryGetValue(word, out var owner) ? owner : null;

        static int OsId(ClrThread thread, ThreadRunDetector? tasks) => tasks?.Outer(thread.OSThreadId) ?? (int)thread.OSThreadId;
    }
}
