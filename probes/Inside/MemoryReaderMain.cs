using System.ComponentModel;
using System.Diagnostics;
using System.Reflection.PortableExecutable;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.Diagnostics.Runtime;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Inside;

/// <summary>
/// The code of the child process that reads memory: opens the target's memory, switches to the target's user permanently, and only then
/// loads the runtime's debugging library from the target's own folder. The child is killed with its parent. Linux, 64 bits.
/// </summary>
static partial class MemoryReaderMain
{
    const string Library = "libmscordaccore.so";

    /// <summary>Number of bytes at the start of the runtime's library that are compared to recognise the same build.</summary>
    const int Header = 1024;

    const int DieWithParent = 1;
    const int NoNewPrivileges = 38;
    const int Kill = 9;

    /// <summary>Reads the memory of a running process; for the output, see <see cref="Run"/>.</summary>
    public static bool ReadProcess(int pid, bool scan, TextWriter output, TextWriter error) => Run(() => Read(pid, scan), output, error);

    /// <summary>Reads a core dump; for the output, see <see cref="Run"/>.</summary>
    public static bool ReadDump(string file, TextWriter output, TextWriter error) => Run(() => Read(file), output, error);

    /// <summary>Writes the reading as one line of JSON, or the reason for a failure as one sentence on standard error.</summary>
    /// <returns>Whether the reading succeeded.</returns>
    static bool Run(Func<InsideReading> read, TextWriter output, TextWriter error)
    {
#pragma warning disable CA1031 // ClrMD throws exceptions of any type on inconsistent memory; each is reported
        try
        {
            if (!OperatingSystem.IsLinux() || !Environment.Is64BitProcess)
            {
                throw new InsideException("memory is read on Linux of 64 bits only");
            }

            // An exception in a callback from the native library bypasses the exception handlers of this method.
            AppDomain.CurrentDomain.UnhandledException += (_, e) =>
            {
                error.WriteLine(Failed(e.ExceptionObject));
                Environment.Exit((int)ExitCode.NoSession);
            };
            output.WriteLine(JsonSerializer.Serialize(read(), InsideReadingJson.Default.InsideReading));
            return true;
        }
        catch (UnauthorizedAccessException)
        {
            error.WriteLine("that takes the same user or CAP_SYS_PTRACE, and ptrace_scope 0 under Yama.");
        }
        catch (Exception e) when (e is InsideException or IOException or InvalidDataException)
        {
            error.WriteLine($"{e.Message.TrimEnd('.')}.");
        }
        catch (Exception e)
        {
            error.WriteLine(Failed(e));
        }
#pragma warning restore CA1031
        return false;
    }

    static string Failed(object thrown) => $"the runtime's debugging library failed: {thrown.GetType().Name}.";

    static InsideReading Read(int pid, bool scan)
    {
        using var memory = LiveMemory.Open(pid);
        var runtime = memory.RuntimePath;
        var debugging = runtime is null ? null : DebuggingLibrary(pid, runtime);
        DropRights(pid);
        EndWithParent();
        using var target = new DataTarget(memory, new DataTargetOptions());
        if (target.ClrVersions is not [var info, ..])
        {
            throw new InsideException("no .NET runtime was found in the process: it is no .NET program, or a NativeAOT one");
        }

        using var clr = info.CreateRuntime(
            debugging ?? throw new InsideException($"the runtime's debugging library ({Library}) is not beside it, as in a single file"),
            ignoreMismatch: true);
        return new InsideReader(clr, memory, TimeProvider.System).Read(scan);
    }

    static InsideReading Read(string file)
    {
        GiveUpNewRights();
        EndWithParent();
        using var memory = new DumpMemory(file);
        using var target = new DataTarget(memory, new DataTargetOptions());
        if (target.ClrVersions is not [var info, ..])
        {
            throw new InsideException("no .NET runtime was found in it: it is cut off, or of another kind of program");
        }

        var runtime = info.ModuleInfo.FileName;
        var debugging = Path.Combine(Path.GetDirectoryName(runtime) ?? "", Library);
        if (!File.Exists(debugging) || !IsOf(memory, info.ModuleInfo.ImageBase, runtime))
        {
            throw new InsideException($"the runtime that wrote the dump is not on this machine, at {runtime}");
        }

        using var clr = info.CreateRuntime(debugging, ignoreMismatch: true);
        return new InsideReader(clr, live: null, TimeProvider.System).Read(scan: false);
    }

    // Whether a file is the runtime that wrote the dump: equal builds begin with equal bytes. True if the dump lacks these bytes.
    static bool IsOf(DumpMemory memory, ulong image, string file)
    {
        Span<byte> there = stackalloc byte[Header];
        Span<byte> here = stackalloc byte[Header];
        using var stream = File.OpenRead(file);
        stream.ReadExactly(here);
        return memory.Read(image, there) < Header || there.SequenceEqual(here);
    }

    // Path of the library in the runtime's folder; null if missing. The target's root, perhaps another mount namespace, is tried first.
    static string? DebuggingLibrary(int pid, string runtime)
    {
        var side = Path.Combine(Path.GetDirectoryName(runtime)!, Library);
        return new[] { string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/root{side}"), side }.FirstOrDefault(File.Exists);
    }

    // The debugging library is code from the target's folder, so a child running as root first switches to the target's user for good.
    static void DropRights(int pid)
    {
        GiveUpNewRights();
        var (user, group) = OwnerOf(pid);
        if (Environment.IsPrivilegedProcess && user != 0
            && (Groups(0, 0) != 0 || SetGroup(group, group, group) != 0 || SetUser(user, user, user) != 0))
        {
            throw new InsideException("the child could not give up its rights");
        }
    }

    // Called after DropRights, because the kernel clears this setting when a process changes its user.
    static void EndWithParent() => _ = Control(DieWithParent, Kill, 0, 0, 0);

    static void GiveUpNewRights()
    {
        if (Control(NoNewPrivileges, 1, 0, 0, 0) != 0)
        {
            throw new InsideException("the child could not give up its rights");
        }
    }

    static (uint User, uint Group) OwnerOf(int pid)
    {
        var lines = File.ReadAllLines(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/status"));
        uint Real(string name) => uint.Parse(
            lines.First(l => l.StartsWith(name, StringComparison.Ordinal)).Split('\t', StringSplitOptions.RemoveEmptyEntries)[1],
            CultureInfo.InvariantCulture);
        return (Real("Uid:"), Real("Gid:"));
    }

    [LibraryImport("libc", EntryPoint = "prctl", SetLastError = true)]
    private static partial int Control(int option, nuint a, nuint b, nuint c, nuint d);

    [LibraryImport("libc", EntryPoint = "setgroups", SetLastError = true)]
    private static partial int Groups(nuint count, nint list);

    [LibraryImport("libc", EntryPoint = "setresgid", SetLastError = true)]
    private static partial int SetGroup(uint real, uint effective, uint saved);

    [LibraryImport("libc", EntryPoint = "setresuid", SetLastError = true)]
    private static partial int SetUser(uint real, uint effective, uint saved);
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(CamelCaseEnum<InsidePart>), typeof(CamelCaseEnum<WaitEnd>)])]
[JsonSerializable(typeof(InsideReading))]
sealed partial class InsideReadingJson : JsonSerializerContext;

/// <summary>
/// Memory of a core dump. Parts of an assembly that are missing in the dump are read from the assembly's file if this is the same build.
/// ClrMD would search a symbol server for such files, so this class hides the assemblies from ClrMD.
/// </summary>
sealed class DumpMemory : TargetMemory, IDisposable
{
    readonly DataTarget dump;
    readonly IDataReader memory;
    readonly ImmutableArray<ModuleInfo> assemblies;
    readonly ImmutableArray<ModuleInfo> libraries;
    readonly Dictionary<ulong, PEReader?> files = [];

    /// <exception cref="InvalidDataException">The file is no core dump, or is truncated.</exception>
    public DumpMemory(string file)
    {
        try
        {
            dump = DataTarget.LoadDump(file);
        }
        catch (ClrDiagnosticsException e)
        {
            throw new InvalidDataException("it is no whole core dump", e);
        }

        memory = dump.DataReader;
        ModuleInfo[] all = [.. memory.EnumerateModules()];
        assemblies = [.. all.Where(m => m.Kind == ModuleKind.PortableExecutable).OrderBy(m => m.ImageBase)];
        libraries = [.. all.Where(m => m.Kind != ModuleKind.PortableExecutable)];
    }

    public override string DisplayName => memory.DisplayName;
    public override OSPlatform TargetPlatform => memory.TargetPlatform;
    public override Architecture Architecture => memory.Architecture;
    public override int ProcessId => memory.ProcessId;

    public override IEnumerable<ModuleInfo> EnumerateModules() => libraries;

    public override void FlushCachedData() => memory.FlushCachedData();

    public override bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context) =>
        memory.GetThreadContext(threadID, contextFlags, context);

    public override int Read(ulong address, Span<byte> buffer)
    {
        var count = memory.Read(address, buffer);
        return count > 0 ? count : FromFile(address, buffer);
    }

    public void Dispose()
    {
        foreach (var file in files.Values)
        {
            file?.Dispose();
        }

        dump.Dispose();
    }

    int FromFile(ulong address, Span<byte> buffer)
    {
        var assembly = assemblies.LastOrDefault(a => a.ImageBase <= address);
        if (assembly is null || address - assembly.ImageBase >= (ulong)assembly.IndexFileSize || FileOf(assembly) is not { } file)
        {
            return 0;
        }

        var data = file.GetSectionData((int)(address - assembly.ImageBase)).GetContent();
        var count = Math.Min(data.Length, buffer.Length);
        data.AsSpan()[..count].CopyTo(buffer);
        return count;
    }

    PEReader? FileOf(ModuleInfo assembly)
    {
        if (files.TryGetValue(assembly.ImageBase, out var known))
        {
            return known;
        }

        if (!File.Exists(assembly.FileName))
        {
            return files[assembly.ImageBase] = null;
        }

        var file = new PEReader(File.OpenRead(assembly.FileName));
        var isSame = file.PEHeaders.CoffHeader.TimeDateStamp == assembly.IndexTimeStamp
            && file.PEHeaders.PEHeader?.SizeOfImage == assembly.IndexFileSize;
        if (!isSame)
        {
            file.Dispose();
        }

        return files[assembly.ImageBase] = isSame ? file : null;
    }
}

/// <summary>
/// Reads a pool from the memory of its process, twice if the process runs. Returns the threads on which both readings agree, and the queue
/// of the second reading.
/// </summary>
/// <param name="runtime">The target's runtime, as the debugging library represents it.</param>
/// <param name="live">The memory of the running target; null for a dump.</param>
/// <param name="time">The machine's monotonic clock, which the target's timers use too.</param>
sealed class InsideReader(ClrRuntime runtime, LiveMemory? live, TimeProvider time)
{
    const int Levels = 2;

    /// <summary>Maximum time from the start of a reading to a heap search; a later search may exceed the child's limit of 5 s.</summary>
    static readonly TimeSpan ScansUntil = TimeSpan.FromSeconds(1.5);

    readonly ThreadRunDetector? tasks = live is null ? null : new(string.Create(CultureInfo.InvariantCulture, $"/proc/{live.ProcessId}"));
    readonly List<InsideUnknown> unknown = [];

    /// <summary>Takes a reading; <paramref name="scan"/> adds a heap search for the code that completes promises.</summary>
    public InsideReading Read(bool scan)
    {
        var at = time.GetTimestamp();
        var first = Look(backward: null);
        // The first search finds the TaskCompletionSource of a promise, the second the object whose field refers to the source.
        for (var level = 0; scan && live is not null && level < Levels && first.Unresolved.Count > 0
            && time.GetElapsedTime(at) < ScansUntil; level++)
        {
            first = Look(HeapScan.Find(runtime, live, first));
        }

        var second = live is null ? first : Look(first.Backward);
        if (live is not null && second.All == 0 && unknown.All(u => u.Part != InsidePart.Stacks))
        {
            // Every .NET process has managed threads, so the memory was gone during this look.
            throw new IOException("the process has exited");
        }

        var before = first.Threads.DistinctBy(t => t.OsId).ToDictionary(t => t.OsId, t => t.Key);
        ImmutableArray<WaitingThread> still = [.. second.Threads.Where(t => before.TryGetValue(t.OsId, out var key) && key == t.Key)];
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

    // Reads the pool once. Creates all readers anew, because objects of the debugging library point to freed memory after a flush.
    PoolMemorySnapshot Look(IReadOnlyDictionary<ulong, List<ulong>>? backward)
    {
        if (live is not null)
        {
            runtime.FlushCachedData();
        }

        if (tasks is not null)
        {
            tasks.Mark();
            Thread.Sleep(ThreadRunDetector.Settle);
        }

        var objects = new ObjectReader(runtime, live is null ? runtime.DataTarget.DataReader : new PageCache(live));
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

    static ImmutableArray<InsideWait> Waits(ImmutableArray<WaitingThread> still)
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

    static WaitEnd End(WaitingThread t) => t.Chain?.End ?? t.Shape.Kind switch
    {
        BlockKind.Lock => WaitEnd.Lock,
        BlockKind.Sleep => WaitEnd.Sleep,
        BlockKind.Io when t.Shape.Resource == Resource.Socket => WaitEnd.Socket,
        _ when t.LockOwner is not null => WaitEnd.Lock,
        _ when t.IsForMutex => WaitEnd.Mutex,
        BlockKind.Wait when t.Shape.Call?.StartsWith("SemaphoreSlim.", StringComparison.Ordinal) == true => WaitEnd.Semaphore,
        _ => WaitEnd.Unknown,
    };

    static string Owner(int id, WaitingThread? owner) => owner is null
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

sealed record PoolMemorySnapshot(InsideQueue? Queue, ImmutableArray<WaitingThread> Threads)
{
    /// <summary>Number of managed threads, including threads that ran during the reading.</summary>
    public int All { get; init; }

    /// <summary>Addresses of promises (tasks without code) for which no completing code is known, and of their sources.</summary>
    public required IReadOnlySet<ulong> Unresolved { get; init; }

    /// <summary>Result of <see cref="HeapScan"/>: for each object, the addresses of references to it; null without a search.</summary>
    public IReadOnlyDictionary<ulong, List<ulong>>? Backward { get; init; }
}

/// <summary>Finds references to objects by searching all words of the heap, without caching pages.</summary>
static class HeapScan
{
    const int Chunk = 1 << 20;

    /// <summary>Maximum number of references kept per object; one of them is enough to name a promise.</summary>
    const int Most = 200;

    /// <summary>
    /// Returns the addresses of words that may refer to each unresolved object, including the results of earlier searches.
    /// </summary>
    public static Dictionary<ulong, List<ulong>> Find(ClrRuntime runtime, LiveMemory memory, PoolMemorySnapshot look)
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
                var count = memory.Read(at, bytes.AsSpan(0, (int)Math.Min(Chunk, range.End - at)));
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

/// <summary>The result of a memory reading: the reading, or one sentence that says why there is none.</summary>
/// <param name="Reading">The reading; null if there is none.</param>
/// <param name="Failure">Why there is none; null if there is one.</param>
sealed record InsideOutcome(InsideReading? Reading, string? Failure)
{
    /// <summary>Whether there is none because it took too long, as on an overloaded machine.</summary>
    public bool IsLate { get; init; }
}

/// <summary>
/// Runs a child process that reads the target's memory. If the native library that the child loads crashes, only the result is lost.
/// </summary>
sealed class MemoryReaderLauncher(LaunchSpec program, TimeProvider time)
{
    /// <summary>Name of the child's hidden verb.</summary>
    public const string Verb = "read-inside";

    /// <summary>Option that makes the child search the heap too.</summary>
    public const string Scan = "--scan";

    /// <summary>Option before a file name, which makes the child read a dump instead of a process.</summary>
    public const string Dump = "--dump";

    /// <summary>Time limit of a reading that a burst waits for; most take 0.2 to 0.8 s.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Time limit of a reading that nothing waits for. With eight other busy threads on two processors, many take longer than 5 s.
    /// </summary>
    static readonly TimeSpan UnhurriedLimit = TimeSpan.FromSeconds(15);

    /// <summary>Time limit for a dump, which may be many gigabytes on a slow disk.</summary>
    static readonly TimeSpan DumpLimit = TimeSpan.FromMinutes(2);

    /// <summary>The lowest exit code of a process that a signal ended.</summary>
    const int FirstOfSignals = 128;

    /// <summary>Number of attempts: a child whose native code crashed is started once more.</summary>
    const int Tries = 2;

    /// <summary>
    /// Takes one reading in limited time. Throws only <see cref="OperationCanceledException"/>, when <paramref name="cancel"/> is
    /// cancelled.
    /// </summary>
    /// <param name="pid">The target's process id.</param>
    /// <param name="scan">Whether to search the heap for the code that completes a promise, which takes longer.</param>
    /// <param name="isUrgent">Whether a burst waits for the reading, which then gets 5 s instead of 15 s.</param>
    /// <param name="cancel">Kills the child at once.</param>
    public Task<InsideOutcome> TakeAsync(int pid, bool scan, bool isUrgent, CancellationToken cancel) => TakeAsync(
        [pid.ToString(CultureInfo.InvariantCulture), .. scan ? new[] { Scan } : []],
        isUrgent ? Limit : UnhurriedLimit, "the process's memory", cancel);

    /// <summary>Reads a core dump, within 2 min. Throws only <see cref="OperationCanceledException"/>.</summary>
    /// <param name="file">A dump of a .NET process whose runtime is on this machine.</param>
    /// <param name="cancel">Kills the child at once.</param>
    public Task<InsideOutcome> ReadDumpAsync(string file, CancellationToken cancel) =>
        TakeAsync([Dump, file], DumpLimit, "the dump", cancel);

    async Task<InsideOutcome> TakeAsync(string[] words, TimeSpan most, string what, CancellationToken cancel)
    {
        InsideOutcome Failed(string why) => new(null, $"tpwatch could not read {what}: {why.TrimEnd('.')}.");
        using var limit = new CancellationTokenSource(most, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
        try
        {
            for (var i = 1; ; i++)
            {
                var (reading, refusal) = await OnceAsync(words, either.Token).ConfigureAwait(false);
                if (reading is not null || refusal is not null)
                {
                    return reading is not null ? new(reading, null) : Failed(refusal!);
                }

                if (i == Tries)
                {
                    return Failed("the process that reads it ended without an answer");
                }
            }
        }
        catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
        {
            return Failed(FormattableString.Invariant($"the process that reads it did not answer within {most.TotalSeconds:0} s")) with
            {
                IsLate = true,
            };
        }
        catch (Exception e) when (e is Win32Exception or IOException or JsonException)
        {
            return Failed(e is JsonException ? "the process that reads it gave no answer that can be read" : e.Message);
        }
    }

    // Both results are null if the child crashed, or failed without a message.
    async Task<(InsideReading? Reading, string? Refusal)> OnceAsync(string[] words, CancellationToken cancel)
    {
        var start = new ProcessStartInfo(program.File, [.. program.Words, Verb, .. words])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        // A crash of the native library must leave neither a dump nor a diagnostic port behind.
        start.Environment["DOTNET_DbgEnableMiniDump"] = "0";
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        using var child = Process.Start(start)!;
        try
        {
            var error = child.StandardError.ReadToEndAsync(cancel);
            var output = await child.StandardOutput.ReadToEndAsync(cancel).ConfigureAwait(false);
            var said = (await error.ConfigureAwait(false)).Trim();
            await child.WaitForExitAsync(cancel).ConfigureAwait(false);
            return child.ExitCode == 0 ? (JsonSerializer.Deserialize(output, InsideReadingJson.Default.InsideReading), null)
                : (null, said.Length > 0 && child.ExitCode < FirstOfSignals ? said.Split('\n')[0] : null);
        }
        finally
        {
            if (!child.HasExited)
            {
                child.Kill();
            }
        }
    }
}
