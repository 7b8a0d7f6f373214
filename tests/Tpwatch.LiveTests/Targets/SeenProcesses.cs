using System.Globalization;

namespace Tpwatch.LiveTests.Targets;

/// <summary>What the kernel says of the processes of this machine. One that has ended has no words, waited for or not.</summary>
static class SeenProcesses
{
    /// <summary>The second signal's bit in the kernel's masks.</summary>
    const ulong Interrupt = 1 << 1;

    public static IEnumerable<int> All => Directory.GetDirectories("/proc")
        .Select(path => int.TryParse(Path.GetFileName(path), NumberStyles.None, CultureInfo.InvariantCulture, out var pid) ? pid : 0)
        .Where(pid => pid > 0);

    public static bool IsAlive(int pid) => CommandLine(pid).Length > 0;

    /// <summary>Its words, each with a zero after it.</summary>
    public static string CommandLine(int pid) => Read(pid, "cmdline");

    /// <summary>Those whose words fulfil a condition.</summary>
    public static IEnumerable<int> Of(Func<string, bool> words) => All.Where(pid => words(CommandLine(pid)));

    public static IEnumerable<int> ChildrenOf(int parent) => All.Where(pid => Read(pid, "stat") is { Length: > 0 } stat
        && stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[1] == parent.ToString(CultureInfo.InvariantCulture));

    /// <summary>How long each worker thread of its pool has run and was ready to run so far, as the kernel says it.</summary>
    public static string[] WorkersOf(int pid) =>
    [
        .. from task in IsAlive(pid) ? Directory.GetDirectories(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/task")) : []
           where Read(pid, $"task/{Path.GetFileName(task)}/comm").StartsWith(".NET TP Worker", StringComparison.Ordinal)
           select Path.GetFileName(task) + " " + Read(pid, $"task/{Path.GetFileName(task)}/schedstat"),
    ];

    /// <summary>Sends SIGINT; skips the test where a process ignores it from its start on, as by a script's <c>&amp;</c>.</summary>
    public static Task InterruptAsync(int pid, CancellationToken cancel)
    {
        Assert.SkipWhen(IgnoresInterrupts(pid), "SIGINT is ignored here: these tests were started in the background of a script");
        return Signal.SendAsync("INT", pid, cancel);
    }

    static bool IgnoresInterrupts(int pid) => Read(pid, "status").Split('\n')
        .FirstOrDefault(line => line.StartsWith("SigIgn:", StringComparison.Ordinal)) is { } ignored
        && (Convert.ToUInt64(ignored[7..].Trim(), 16) & Interrupt) != 0;

    static string Read(int pid, string file)
    {
        try
        {
            return File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/{file}"));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
