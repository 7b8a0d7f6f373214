using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;
using Tpwatch.Targets;

namespace Tpwatch.Inside;

/// <summary>
/// Memory of a running process, read through <c>/proc/PID/mem</c>, which stops no thread. The descriptor stays valid after tpwatch gives up
/// the right to open this file. Nothing is cached: the debugging library follows pointers that the runtime publishes meanwhile, and a page
/// read before that would show zeros behind them, which crashes the library. Linux, 64 bits.
/// </summary>
sealed partial class LiveMemory(int pid, int descriptor, ImmutableArray<(ulong Address, string Path)> images) : TargetMemory, IDisposable
{
    const int NoSuchProcess = 3;
    const string Runtime = "/libcoreclr.so";

    /// <summary>Opens the memory of a process; requires the right to trace it.</summary>
    /// <exception cref="UnauthorizedAccessException">The right to trace the process is missing.</exception>
    /// <exception cref="IOException">There is no such process.</exception>
    public static LiveMemory Open(int pid)
    {
        var images = ImagesOf(pid);
        var path = string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/mem");
        var descriptor = OpenFile(path, ReadOnlyAndCloseOnExec);
        return descriptor >= 0 ? new(pid, descriptor, images)
            : Marshal.GetLastPInvokeError() is 2 or NoSuchProcess ? throw new IOException("the process has exited")
            : throw new UnauthorizedAccessException();
    }

    public override string DisplayName => "a live process";
    public override OSPlatform TargetPlatform => OSPlatform.Linux;
    public override Architecture Architecture => RuntimeInformation.ProcessArchitecture;
    public override int ProcessId => pid;

    /// <summary>The file of the runtime's library; null if the library is not mapped.</summary>
    public string? RuntimePath => images.Select(i => i.Path).FirstOrDefault(p => p.EndsWith(Runtime, StringComparison.Ordinal));

    // Returns only files that can contain the runtime. A single-file program also maps its assemblies, at offsets other than 0.
    public override IEnumerable<ModuleInfo> EnumerateModules() =>
        images.Select(i => ModuleInfo.TryCreate(this, i.Address, i.Path)).OfType<ModuleInfo>();

    // Returns no registers: a stack walk then begins at the frame by which the thread entered the runtime. Every blocked thread has one.
    public override bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context)
    {
        context.Clear();
        return true;
    }

    public override unsafe int Read(ulong address, Span<byte> buffer)
    {
        if (address > long.MaxValue)
        {
            return 0;
        }

        fixed (byte* to = buffer)
        {
            var count = ReadAt(descriptor, to, buffer.Length, (long)address);
            return count >= 0 ? (int)count
                : Marshal.GetLastPInvokeError() == NoSuchProcess ? throw new IOException("the process has exited") : 0;
        }
    }

    public void Dispose() => _ = Close(descriptor);

    static ImmutableArray<(ulong Address, string Path)> ImagesOf(int pid)
    {
        var folder = string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}");
        var program = File.ResolveLinkTarget($"{folder}/exe", returnFinalTarget: false)?.FullName;
        var found = ImmutableArray.CreateBuilder<(ulong, string)>();
        foreach (var line in File.ReadLines($"{folder}/maps"))
        {
            var words = line.Split(' ', 6, StringSplitOptions.RemoveEmptyEntries);
            if (words is [var range, _, "00000000", _, _, var path]
                && (path.EndsWith(Runtime, StringComparison.Ordinal) || path == program) && !found.Any(f => f.Item2 == path))
            {
                found.Add((Convert.ToUInt64(range.Split('-')[0], 16), path));
            }
        }

        return found.DrainToImmutable();
    }

    /// <summary>O_RDONLY and O_CLOEXEC.</summary>
    const int ReadOnlyAndCloseOnExec = 0x80000;

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int OpenFile(string path, int flags);

    [LibraryImport("libc", EntryPoint = "pread", SetLastError = true)]
    private static unsafe partial nint ReadAt(int descriptor, byte* to, nint count, long offset);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int descriptor);
}

/// <summary>Memory of a 64-bit process, live or in a dump, as the debugging library asks for it.</summary>
abstract class TargetMemory : WordMemory, IDataReader
{
    public abstract string DisplayName { get; }
    public abstract OSPlatform TargetPlatform { get; }
    public abstract Architecture Architecture { get; }
    public abstract int ProcessId { get; }
    public bool IsThreadSafe => false;

    public abstract IEnumerable<ModuleInfo> EnumerateModules();

    public virtual void FlushCachedData()
    {
    }

    public abstract bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context);
}

/// <summary>
/// Pages of a memory, each read once, for the many small reads of objects. What it shows may be older than a pointer to it, so a caller
/// checks each object that it finds.
/// </summary>
sealed class PageCache(TargetMemory memory) : WordMemory
{
    /// <summary>The smallest page of any supported kernel, bytes: it is mapped whole or not at all.</summary>
    const int PageSize = 4096;

    /// <summary>Maximum size of a cached read, bytes; a larger read bypasses the cached pages.</summary>
    const int MostKept = 1 << 20;

    readonly Dictionary<ulong, byte[]?> pages = [];

    public override int Read(ulong address, Span<byte> buffer)
    {
        if (buffer.Length > MostKept)
        {
            return memory.Read(address, buffer);
        }

        var done = 0;
        while (done < buffer.Length)
        {
            var at = address + (ulong)done;
            var start = at & ~(ulong)(PageSize - 1);
            if (Page(start) is not { } page)
            {
                return done;
            }

            var rest = page.AsSpan((int)(at - start));
            var count = Math.Min(rest.Length, buffer.Length - done);
            rest[..count].CopyTo(buffer[done..]);
            done += count;
        }

        return done;
    }

    // Returns a cached page; null if it is not mapped.
    byte[]? Page(ulong start)
    {
        if (!pages.TryGetValue(start, out var page))
        {
            var bytes = new byte[PageSize];
            pages[start] = page = memory.Read(start, bytes) == PageSize ? bytes : null;
        }

        return page;
    }
}

/// <summary>Memory of a 64-bit process. A derived class reads bytes; this class converts them to numbers.</summary>
abstract class WordMemory : IMemoryReader
{
    public int PointerSize => sizeof(ulong);

    public abstract int Read(ulong address, Span<byte> buffer);

    public unsafe bool Read<T>(ulong address, out T value)
        where T : unmanaged
    {
        T read = default;
        var whole = Read(address, new Span<byte>(&read, sizeof(T))) == sizeof(T);
        value = whole ? read : default;
        return whole;
    }

    public T Read<T>(ulong address)
        where T : unmanaged => Read(address, out T value) ? value : default;

    public bool ReadPointer(ulong address, out ulong value) => Read(address, out value);

    public ulong ReadPointer(ulong address) => Read<ulong>(address);
}

/// <summary>Shows by the kernel's scheduling statistics which threads of a process have not run since <see cref="Mark"/>.</summary>
/// <param name="folder">The process's folder in <c>/proc</c>.</param>
sealed class ThreadRunDetector(string folder)
{
    readonly Dictionary<uint, (int Outer, string? Account)> marked = [];

    /// <summary>Minimum time without running after which the stack of a thread is read.</summary>
    public static readonly TimeSpan Settle = TimeSpan.FromMilliseconds(10);

    /// <summary>Records the statistics of every thread.</summary>
    public void Mark()
    {
        marked.Clear();
        var isNested = Ids($"{folder}/status").Length > 1;
        foreach (var task in Directory.EnumerateDirectories($"{folder}/task"))
        {
            var outer = int.Parse(Path.GetFileName(task), CultureInfo.InvariantCulture);
            marked[isNested ? Inner(task) ?? (uint)outer : (uint)outer] = (outer, Account(task));
        }
    }

    /// <summary>Converts a thread id of the target's process-id namespace, which the runtime uses, to tpwatch's own namespace.</summary>
    public int Outer(uint inner) => marked.TryGetValue(inner, out var known) ? known.Outer : (int)inner;

    /// <summary>Whether the thread has neither run since the mark nor is ready to: equal statistics, a state other than R.</summary>
    public bool StoodStill(uint inner) => marked.TryGetValue(inner, out var known) && known.Account is not null
        && Account(string.Create(CultureInfo.InvariantCulture, $"{folder}/task/{known.Outer}")) == known.Account;

    // Null if the thread runs, or is ready to run: on a loaded machine it may wait for a processor for longer than the settling time, and
    // get one in the middle of the reading of its stack.
    static string? Account(string task) =>
        ProcStat.Parse(TryRead($"{task}/stat")) is { State: not 'R' } ? TryRead($"{task}/schedstat") : null;

    static uint? Inner(string task) =>
        Ids($"{task}/status") is [.., var last] && uint.TryParse(last, CultureInfo.InvariantCulture, out var id) ? id : null;

    static string[] Ids(string status) => TryRead(status)?.Split('\n').FirstOrDefault(l => l.StartsWith("NSpid:", StringComparison.Ordinal))
        ?.Split('\t', StringSplitOptions.RemoveEmptyEntries)[1..] ?? [];

    static string? TryRead(string file)
    {
        try
        {
            return File.ReadAllText(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
