using System.Buffers;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Tpwatch.Targets;

/// <summary>The text of a file below /proc, or why there is none.</summary>
readonly record struct ProcText(string? Text, bool Denied);

/// <summary>
/// Reads /proc. Every process may vanish between two reads (a read then fails with ENOENT or ESRCH) and may refuse to be read;
/// neither is ever an exception here.
/// </summary>
sealed class ProcTree(string root)
{
    /// <summary>More than most of these files have.</summary>
    const int UsualBytes = 4096;

    public IEnumerable<int> Pids()
    {
        var folders = Attempt(() => Directory.GetDirectories(root)) ?? [];
        return folders.Select(f => ParsePid(Path.GetFileName(f))).Where(pid => pid > 0).Order();
    }

    public string PathOf(int pid, string name = "") => Path.Combine(root, pid.ToString(CultureInfo.InvariantCulture), name);

    /// <summary>The watcher's own id as this /proc counts it.</summary>
    public int SelfPid() => ParsePid(Attempt(() => new FileInfo(Path.Combine(root, "self")).LinkTarget) ?? "");

    /// <summary>Time since boot, milliseconds; null where it does not show.</summary>
    public double? UptimeMs() => ReadFile(Path.Combine(root, "uptime")).Text is { } text
        && double.TryParse(
            text.Split(' ')[0], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var seconds) ? seconds * 1000 : null;

    public ProcText Read(int pid, string name) => ReadFile(PathOf(pid, name));

    public ProcText ReadThread(int pid, int thread, string name) => ReadFile(PathOf(pid, ThreadFile(thread, name)));

    /// <summary>Its first bytes into a buffer, without an allocation a line: for what is read every second of every thread.</summary>
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

    /// <summary>A file to be read again and again; null when it cannot be opened. When the process has ended, a read fails.</summary>
    public SafeFileHandle? Open(int pid, string name) =>
        Attempt(() => OpenUnlocked(PathOf(pid, name)));

    /// <summary>The ids of its threads; none when it is gone.</summary>
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

    /// <summary>The arguments, or null when there are none (a kernel thread, a zombie).</summary>
    public IReadOnlyList<string>? Arguments(int pid) =>
        Read(pid, "cmdline").Text is { Length: > 0 } text ? text.TrimEnd('\0').Split('\0') : null;

    /// <summary>The environment the process was started with, or null when it must not be read.</summary>
    public ProcEnvironment? Environment(int pid) => Read(pid, "environ").Text is { } text ? ProcEnvironment.Parse(text) : null;

    /// <summary>False also when one of the two cannot be read: then nothing speaks for another namespace.</summary>
    public bool IsInAnotherNamespace(int pid, string kind) =>
        Link(pid, "ns/" + kind) is { } theirs && LinkSelf("ns/" + kind) is { } ours && theirs != ours;

    /// <summary>The text of any file of the kernel's.</summary>
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

    // Sharing with everybody: otherwise each opening takes a lock and looks at the file first, two calls more of the kernel.
    static SafeFileHandle OpenUnlocked(string path) =>
        File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);

    // Some are read ten times a second: without the readers and buffers of a stream, which cost more than the kernel does.
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
