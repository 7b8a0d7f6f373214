using System.Buffers;
using System.Buffers.Binary;
using System.Collections;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Tpwatch.Targets;

/// <summary>The text of a file below /proc; null if the file cannot be read. Denied tells whether access was denied.</summary>
readonly record struct ProcText(string? Text, bool Denied);

/// <summary>
/// Reads /proc. No exception is thrown if a process disappears between two reads (ENOENT, ESRCH), or if tpwatch may not read a file.
/// </summary>
sealed class ProcTree(string root)
{
    /// <summary>Initial buffer size in bytes, enough for most files below /proc.</summary>
    const int UsualBytes = 4096;

    public IEnumerable<int> Pids() => Ids(root).Order();

    public string PathOf(int pid, string name = "") => Path.Combine(root, pid.ToString(CultureInfo.InvariantCulture), name);

    /// <summary>tpwatch's own process id in the namespace of this /proc; 0 if unknown.</summary>
    public int SelfPid() => ParsePid(Attempt(() => new FileInfo(Path.Combine(root, "self")).LinkTarget) ?? "");

    /// <summary>Time since boot, milliseconds; null when unknown.</summary>
    public double? UptimeMs() => ReadFile(Path.Combine(root, "uptime")).Text is { } text
        && double.TryParse(
            text.Split(' ')[0], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var seconds) ? seconds * 1000 : null;

    public ProcText Read(int pid, string name) => ReadFile(PathOf(pid, name));

    public ProcText ReadThread(int pid, int thread, string name) => ReadFile(PathOf(pid, ThreadFile(thread, name)));

    /// <summary>
    /// Reads the first bytes of a thread's file into a buffer and returns their number; 0 if the file cannot be read. Allocates no string,
    /// because such files are read every second for every thread.
    /// </summary>
    public int ReadThread(int pid, int thread, string name, byte[] into)
    {
        try
        {
            using var file = OpenUnlocked(PathOf(pid, ThreadFile(thread, name)));
            return RandomAccess.Read(file, into, 0);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    /// <summary>Opens a process's file for repeated reads; null if it cannot be opened. After the process has ended, reads fail.</summary>
    public SafeFileHandle? Open(int pid, string name) => Attempt(() => OpenUnlocked(PathOf(pid, name)));

    /// <summary>The ids of a process's threads; empty if the process has ended.</summary>
    public IEnumerable<int> Threads(int pid) => Ids(PathOf(pid, "task"));

    static IEnumerable<int> Ids(string folder) =>
        (Attempt(() => Directory.GetDirectories(folder)) ?? []).Select(f => ParsePid(Path.GetFileName(f))).Where(id => id > 0);

    public ProcText ReadSelf(string name) => ReadFile(Path.Combine(root, "self", name));

    public string? Link(int pid, string name) => Attempt(() => new FileInfo(PathOf(pid, name)).LinkTarget);

    public string? LinkSelf(string name) => Attempt(() => new FileInfo(Path.Combine(root, "self", name)).LinkTarget);

    public ProcStat? Stat(int pid) => ProcStat.Parse(Read(pid, "stat").Text);

    public ProcStatus Status(int pid) => ProcStatus.Parse(Read(pid, "status").Text);

    /// <summary>The arguments of a process; null if there are none (a kernel thread, a zombie).</summary>
    public IReadOnlyList<string>? Arguments(int pid) =>
        Read(pid, "cmdline").Text is { Length: > 0 } text ? text.TrimEnd('\0').Split('\0') : null;

    /// <summary>The environment with which the process was started; null if it cannot be read.</summary>
    public ProcEnvironment? Environment(int pid) => Read(pid, "environ").Text is { } text ? ProcEnvironment.Parse(text) : null;

    /// <summary>
    /// Whether the process and tpwatch have different namespaces of a kind, such as "mnt"; false also if one of them cannot be read.
    /// </summary>
    public bool IsInAnotherNamespace(int pid, string kind) =>
        Link(pid, "ns/" + kind) is { } theirs && LinkSelf("ns/" + kind) is { } ours && theirs != ours;

    /// <summary>Reads any file that the kernel generates, such as /proc/meminfo or a file of a control group.</summary>
    public static ProcText ReadFile(string path)
    {
        try
        {
            return new(Whole(path), Denied: false);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return new(null, Denied: e is UnauthorizedAccessException);
        }
    }

    static T? Attempt<T>(Func<T?> read)
        where T : class
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    static string ThreadFile(int thread, string name) => string.Create(CultureInfo.InvariantCulture, $"task/{thread}/{name}");

    static int ParsePid(string name) => int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out var pid) ? pid : 0;

    // Permits shared access: otherwise .NET locks the file and queries its status, which takes two more system calls for each open.
    static SafeFileHandle OpenUnlocked(string path) =>
        File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);

    // Some files are read ten times a second, so this method avoids stream readers, which cost more than the system calls.
    static string Whole(string path)
    {
        using var file = OpenUnlocked(path);
        var text = ArrayPool<byte>.Shared.Rent(UsualBytes);
        try
        {
            var length = 0;
            while (RandomAccess.Read(file, text.AsSpan(length), length) is > 0 and var read)
            {
                length += read;
                if (length == text.Length)
                {
                    text = Longer(text);
                }
            }

            return Encoding.UTF8.GetString(text, 0, length);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(text);
        }
    }

    static byte[] Longer(byte[] text)
    {
        var longer = ArrayPool<byte>.Shared.Rent(text.Length * 2);
        text.CopyTo(longer, 0);
        ArrayPool<byte>.Shared.Return(text);
        return longer;
    }
}

/// <summary>Contents of /proc/PID/stat.</summary>
/// <param name="Name">The process name as the kernel reports it, up to 15 characters.</param>
/// <param name="State">The kernel's letter for the state: R, S, D, T, t, Z, X or I.</param>
/// <param name="StartTime">Start of the process, clock ticks since boot. Pid and start time identify a process uniquely, and are parts of
/// the name of its diagnostic socket.</param>
sealed record ProcStat(string Name, char State, ulong StartTime)
{
    // Indexes of fields 14, 15, 20 and 22 in the text after field 2. Field 2 is the process name, which can contain spaces.
    const int UserTimeAfterName = 11;
    const int KernelTimeAfterName = 12;
    const int ThreadsAfterName = 17;
    const int StartTimeAfterName = 19;

    /// <summary>Length of a clock tick, milliseconds: 1/100 s on every architecture that .NET supports (USER_HZ).</summary>
    public const double ClockTickMs = 10;

    /// <summary>Processor time since the start of the process, user and kernel, milliseconds; null when unknown.</summary>
    public double? ProcessorMs { get; init; }

    public int? Threads { get; init; }

    /// <summary>Whether the process has ended, so that only its exit status remains.</summary>
    public bool HasEnded => State is 'Z' or 'X' or 'x';

    public static ProcStat? Parse(string? text)
    {
        if (text is null || text.IndexOf('(') is var open && open < 0 || text.LastIndexOf(')') is var close && close <= open)
        {
            return null;
        }

        var fields = text[(close + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return fields.Length > StartTimeAfterName
            && ulong.TryParse(fields[StartTimeAfterName], CultureInfo.InvariantCulture, out var start)
            ? new ProcStat(text[(open + 1)..close], fields[0][0], start)
            {
                ProcessorMs = (Number(fields[UserTimeAfterName]) + Number(fields[KernelTimeAfterName])) * ClockTickMs,
                Threads = (int?)Number(fields[ThreadsAfterName]),
            }
            : null;
    }

    static long? Number(string field) =>
        long.TryParse(field, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;
}

/// <summary>Contents of /proc/PID/status; null for missing values.</summary>
/// <param name="ProcessId">Id of the process to which PID belongs: another id than PID if PID is the id of a thread.</param>
/// <param name="InnermostPid">Id in the process's own pid namespace; the name of the diagnostic socket contains this id.</param>
/// <param name="User">Effective user id.</param>
/// <param name="AllowedProcessors">Number of processors that the process may run on; its runtime never counts more processors.</param>
sealed record ProcStatus(int? ProcessId, int? InnermostPid, int? User, int? AllowedProcessors)
{
    public static ProcStatus Parse(string? text)
    {
        Dictionary<string, string[]> lines = [];
        foreach (var line in (text ?? "").Split('\n'))
        {
            if (line.IndexOf(':') is > 0 and var colon)
            {
                lines[line[..colon]] = line[(colon + 1)..].Split((char[])['\t', ' '], StringSplitOptions.RemoveEmptyEntries);
            }
        }

        return new ProcStatus(Number(lines, "Tgid", 0), Number(lines, "NSpid", ^1), Number(lines, "Uid", 1), Processors(lines));
    }

    static int? Number(Dictionary<string, string[]> lines, string name, Index index) =>
        lines.TryGetValue(name, out var values) && index.GetOffset(values.Length) is var at && at >= 0 && at < values.Length
            && int.TryParse(values[at], NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            ? value
            : null;

    // Counts the processors in a list of ranges, such as "0-3,8".
    static int? Processors(Dictionary<string, string[]> lines) => lines.GetValueOrDefault("Cpus_allowed_list") is [var list, ..]
        ? list.Split(',').Select(range => range.Split('-')).Aggregate((int?)0, (sum, ends) =>
            int.TryParse(ends[0], CultureInfo.InvariantCulture, out var first)
            && int.TryParse(ends[^1], CultureInfo.InvariantCulture, out var last) ? sum + last - first + 1 : null)
        : null;
}

/// <summary>The environment of a process. It may contain secrets, so it is kept only while a target is being described.</summary>
sealed class ProcEnvironment(IReadOnlyDictionary<string, string> values) : IEnumerable<KeyValuePair<string, string>>
{
    static readonly string[] DiagnosticSwitches = ["EnableDiagnostics", "EnableDiagnostics_IPC"];

    public string? this[string name] => values.GetValueOrDefault(name);

    public static ProcEnvironment Parse(string block) => Of(block.Split('\0', StringSplitOptions.RemoveEmptyEntries));

    /// <summary>Parses lines of the form NAME=value; if a name occurs twice, the first value counts, as in the runtime.</summary>
    public static ProcEnvironment Of(IEnumerable<string> assignments) => new(
        assignments.Select(assignment => assignment.Split('=', 2)).Where(parts => parts is [{ Length: > 0 }, _])
            .DistinctBy(parts => parts[0]).ToDictionary(parts => parts[0], parts => parts[1]));

    /// <summary>The variable that disables the diagnostic port, as NAME=value; null if there is none.</summary>
    public string? WhatDisablesDiagnostics() =>
        (from prefix in (string[])["DOTNET_", "COMPlus_"]
         from name in DiagnosticSwitches
         let value = this[prefix + name]
         where IsZero(value)
         select $"{prefix}{name}={value}").FirstOrDefault();

    public IEnumerator<KeyValuePair<string, string>> GetEnumerator() => values.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    // The runtime parses these values as hexadecimal numbers.
    static bool IsZero(string? value)
    {
        var digits = value is ['0', 'x' or 'X', ..] ? value[2..] : value ?? "";
        return ulong.TryParse(digits, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var number) && number == 0;
    }
}

/// <summary>Locations of the system files that the process search reads; tests replace them with their own folders.</summary>
sealed record SystemPaths
{
    public static SystemPaths Local { get; } = new();
    public string Proc { get; init; } = "/proc";

    public string Passwd { get; init; } = "/etc/passwd";

    /// <summary>tpwatch's own temporary folder; a target with the same TMPDIR creates its diagnostic socket there.</summary>
    public string Temp { get; init; } = TempOf(Environment.GetEnvironmentVariable("TMPDIR"));

    public bool IsLinux { get; init; } = OperatingSystem.IsLinux();

    /// <summary>Returns the id of the user who owns the socket at a path; null if there is no socket.</summary>
    public Func<string, int?> SocketOwner { get; init; } = UnixFile.SocketOwner;

    public ProcTree Tree => new(Proc);

    /// <summary>The temporary folder by the runtime's rule: TMPDIR, or /tmp if TMPDIR is not set.</summary>
    public static string TempOf(string? tmpdir) => string.IsNullOrEmpty(tmpdir) ? "/tmp" : tmpdir.Length > 1 ? tmpdir.TrimEnd('/') : tmpdir;
}

/// <summary>File attributes that .NET does not provide: the owner of a file, and whether the file is a socket or a folder.</summary>
static partial class UnixFile
{
    // Constants of linux/stat.h and fcntl.h; the structure statx has the same layout on every processor.
    const int HereFolder = -100;
    const int LinksAsTheyAre = 0x100;
    const uint TypeAndOwner = 0x1 | 0x8;
    const int StructureBytes = 256;
    const int OwnerAt = 20;
    const int ModeAt = 28;
    const int TypeMask = 0xF000;
    const int SocketType = 0xC000;
    const int FolderType = 0x4000;

    /// <summary>The id of the user who owns the socket at a path; null if there is no socket. Does not follow links.</summary>
    public static int? SocketOwner(string path) => Owner(path, SocketType);

    public static bool IsOurSocket(string path) => OperatingSystem.IsLinux() && Owner(path, SocketType) == Us();

    /// <summary>Whether the path is a folder, not a link to a folder, that belongs to tpwatch's user.</summary>
    public static bool IsOurFolder(string path) => OperatingSystem.IsLinux() && Owner(path, FolderType) == Us();

    static int? Owner(string path, int type)
    {
        var about = new byte[StructureBytes];
        return Look(HereFolder, path, LinksAsTheyAre, TypeAndOwner, about) == 0
            && (BinaryPrimitives.ReadUInt16LittleEndian(about.AsSpan(ModeAt)) & TypeMask) == type
            ? BinaryPrimitives.ReadInt32LittleEndian(about.AsSpan(OwnerAt))
            : null;
    }

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial int Us();

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Look(int folder, string path, int flags, uint mask, byte[] about);
}
