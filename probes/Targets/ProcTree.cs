using System.Buffers;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Tpwatch.Targets;

/// <summary>The text of a file below /proc, or null and whether access was denied.</summary>
readonly record struct ProcText(string? Text, bool Denied);

/// <summary>
/// Reads /proc. A process can disappear between two reads (a read then fails with ENOENT or ESRCH), and its files may not be readable;
/// neither throws an exception here.
/// </summary>
sealed class ProcTree(string root)
{
    /// <summary>Initial buffer size in bytes, enough for most of these files.</summary>
    const int UsualBytes = 4096;

    public IEnumerable<int> Pids()
    {
        var folders = Attempt(() => Directory.GetDirectories(root)) ?? [];
        return folders.Select(f => ParsePid(Path.GetFileName(f))).Where(pid => pid > 0).Order();
    }

    public string PathOf(int pid, string name = "") => Path.Combine(root, pid.ToString(CultureInfo.InvariantCulture), name);

    /// <summary>The watcher's own process id, as this /proc counts it.</summary>
    public int SelfPid() => ParsePid(Attempt(() => new FileInfo(Path.Combine(root, "self")).LinkTarget) ?? "");

    /// <summary>Time since boot, milliseconds; null when unknown.</summary>
    public double? UptimeMs() => ReadFile(Path.Combine(root, "uptime")).Text is { } text
        && double.TryParse(
            text.Split(' ')[0], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var seconds) ? seconds * 1000 : null;

    public ProcText Read(int pid, string name) => ReadFile(PathOf(pid, name));

    public ProcText ReadThread(int pid, int thread, string name) => ReadFile(PathOf(pid, ThreadFile(thread, name)));

    /// <summary>
    /// Reads the first bytes of a thread's file into a buffer, without allocating strings; for files that are read every second for every
    /// thread.
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

    /// <summary>Opens a file to be read repeatedly; null if it cannot be opened. After the process has ended, reads fail.</summary>
    public SafeFileHandle? Open(int pid, string name) =>
        Attempt(() => OpenUnlocked(PathOf(pid, name)));

    /// <summary>The ids of a process's threads; empty if the process has ended.</summary>
    public IEnumerable<int> Threads(int pid)
    {
        var folders = Attempt(() => Directory.GetDirectories(PathOf(pid, "task"))) ?? [];
        return folders.Select(f => ParsePid(Path.GetFileName(f))).Where(id => id > 0);
    }

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
    /// Whether the process is in another namespace of this kind than tpwatch; false also if one of the two namespaces cannot be read.
    /// </summary>
    public bool IsInAnotherNamespace(int pid, string kind) =>
        Link(pid, "ns/" + kind) is { } theirs && LinkSelf("ns/" + kind) is { } ours && theirs != ours;

    /// <summary>The text of any file that the kernel provides.</summary>
    public static ProcText ReadFile(string path)
    {
        try
        {
            return new(Whole(path), Denied: false);
        }
        catch (UnauthorizedAccessException)
        {
            return new(null, Denied: true);
        }
        catch (IOException)
        {
            return new(null, Denied: false);
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

    // Shares access with all other openers: otherwise .NET locks the file and queries its status, two system calls more for each open.
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
