using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Inside;

/// <summary>A thread that stands still, and what it waits for.</summary>
/// <param name="OsId">Its id in the watcher's own namespace.</param>
/// <param name="ManagedId">The runtime's number of it.</param>
/// <param name="Frames">Innermost first.</param>
/// <param name="Shape">What the stack says.</param>
sealed record StillThread(int OsId, int ManagedId, ImmutableArray<string> Frames, StackShape Shape)
{
    /// <summary>From the task that it blocks on; null where it blocks on none that was found.</summary>
    public TaskChain? Chain { get; init; }

    /// <summary>How many connections at a time HttpClient's pool opens, where it waits for one; null where it does not.</summary>
    public int? Limit { get; init; }

    /// <summary>Whether the wait handle that it waits for is a mutex.</summary>
    public bool IsForMutex { get; init; }

    /// <summary>OS id of who has the lock that it waits for; null where it waits for none, or that is not known.</summary>
    public int? LockOwner { get; init; }

    /// <summary>
    /// Whether no other lock that a thread holds lies in the frames of the wait, and before .NET 10, where a wait for a lock has no frame,
    /// in those of the caller: then it is that one which is waited for.
    /// </summary>
    public bool IsSureOfLock { get; init; }

    /// <summary>What makes two readings of it the same.</summary>
    public string Key => string.Join('|', [.. Frames, .. Chain?.Steps ?? [], $"{Chain?.End} {LockOwner}"]);
}

/// <summary>
/// The stacks of threads that stand still: by the kernel's account none of them ran from 10 ms before until after the reading. The stack
/// of one that runs cannot be read without stopping it, and it blocks nothing.
/// </summary>
sealed class ThreadReader(ClrRuntime runtime, ObjectReader objects, TaskChains chains, LiveTasks? tasks)
{
    const int MostFrames = 150;

    /// <summary>Between two frames lie less bytes than this, and of arguments and locals of a wait fewer are looked at.</summary>
    const ulong LargestFrames = 8192;
    const ulong UsualFrames = 1024;

    /// <summary>The lock lies in the frames of the wait or in the next few of the caller.</summary>
    const int FramesOfLock = 4;

    /// <summary>From .NET 11 on a lock knows its owner by the runtime's number.</summary>
    const int FirstWithManagedOwner = 11;

    /// <summary>A handle lies in the frames of WaitHandle's own methods.</summary>
    const int FramesOfHandle = 8;

    const string TaskType = "System.Threading.Tasks.Task";
    const string MutexType = "System.Threading.Mutex";
    const string HttpPoolType = "System.Net.Http.HttpConnectionPool";
    const string LockType = "System.Threading.Lock";
    const string ReaderWriterType = "System.Threading.ReaderWriterLockSlim";

    /// <summary>Managed threads, those included that ran.</summary>
    public int All { get; private set; }

    /// <summary>Reads them all.</summary>
    public ImmutableArray<StillThread> Read()
    {
        var owners = new Owners(runtime, tasks);
        var found = ImmutableArray.CreateBuilder<StillThread>();
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

            // Whatever was read of a thread that ran meanwhile may be anything.
            if (read is not null && tasks?.StoodStill(thread.OSThreadId) != false)
            {
                found.Add(read);
            }
        }

        return found.DrainToImmutable();
    }

    StillThread Read(ClrThread thread, List<Frame> frames, Owners owners)
    {
        var osId = tasks?.Outer(thread.OSThreadId) ?? (int)thread.OSThreadId;
        ImmutableArray<string> names = [.. frames.Select(f => Names.Frame(f.Method))];
        var shape = StackShape.Of(new SampledStack(osId, 1, Running: false, names));
        var still = new StillThread(osId, thread.ManagedThreadId, names, shape);

        // Optimized code has no frame of the first: it is inlined in the second.
        var task = frames.FindIndex(f => f.Method is { Type.Name: TaskType, Name: "SpinThenBlockingWait" or "InternalWaitCore" });
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

    // The task is an argument of the frames between the wait and its caller, and its continuation is to set the event that they wait for.
    ulong Task(List<Frame> frames, int wait)
    {
        var end = wait;
        while (end < frames.Count && frames[end].Method.Type.Name == TaskType)
        {
            end++;
        }

        var other = 0UL;
        foreach (var word in Words(frames, end + 1))
        {
            if (objects.TypeOf(word) is { } type && objects.IsTask(type) && !objects.IsComplete(word, type)
                && objects.TypeOf(objects.Reference(word, type, "m_continuationObject"))?.Name is { } continuation)
            {
                if (continuation.Contains("SetOnInvokeMres", StringComparison.Ordinal))
                {
                    return word;
                }

                // With others that wait for it there is a list of them.
                other = continuation.StartsWith("System.Collections.Generic.List", StringComparison.Ordinal) ? word : other;
            }
        }

        return other;
    }

    // The pool is an argument of its own methods. It has no limit where the program sets none.
    int? HttpLimit(List<Frame> frames)
    {
        var end = frames.FindLastIndex(f => f.Method.Type.Name?.StartsWith(HttpPoolType, StringComparison.Ordinal) == true);
        foreach (var word in end < 0 ? [] : Words(frames, end + FramesOfLock))
        {
            if (objects.TypeOf(word) is { Name: HttpPoolType } type
                && objects.Int32(word, type, "_maxHttp11Connections") is > 0 and var limit)
            {
                return limit;
            }
        }

        return null;
    }

    StillThread OwnerOf(StillThread still, int[] owners) => owners is not [var first, ..] ? still : still with
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

    /// <summary>Threads by what locks know them by.</summary>
    sealed class Owners(ClrRuntime runtime, LiveTasks? tasks)
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

        /// <summary>Who has the Monitor of that object: before .NET 11 the runtime's table of them says.</summary>
        public int? OfMonitor(ulong word) => monitors.Value.TryGetValue(word, out var owner) ? owner : null;

        static int OsId(ClrThread thread, LiveTasks? tasks) => tasks?.Outer(thread.OSThreadId) ?? (int)thread.OSThreadId;
    }
}
