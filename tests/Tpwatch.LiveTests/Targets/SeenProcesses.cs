using System.Globalization;

namespace Tpwatch.LiveTests.Targets;

/// <summary>What the kernel says of the processes of this machine. One that has ended has no words, waited for or not.</summary>
static class SeenProcesses
{
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
