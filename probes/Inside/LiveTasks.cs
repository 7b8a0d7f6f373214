namespace Tpwatch.Inside;

/// <summary>The kernel's scheduling statistics of a process's threads: show whether a thread has run since <see cref="Mark"/>.</summary>
sealed class LiveTasks(int pid)
{
    readonly string folder = string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}");
    readonly Dictionary<uint, (int Outer, string Account)> marked = [];

    /// <summary>Minimum time without running after which the stack of a thread is read.</summary>
    public static readonly TimeSpan Settle = TimeSpan.FromMilliseconds(10);

    /// <summary>Records the statistics of every thread.</summary>
    public void Mark()
    {
        marked.Clear();
        var isNested = Namespaces($"{folder}/status") > 1;
        foreach (var task in Directory.EnumerateDirectories($"{folder}/task"))
        {
            if (Account(task) is { } account)
            {
                var outer = int.Parse(Path.GetFileName(task), CultureInfo.InvariantCulture);
                marked[isNested ? Inner(task) ?? (uint)outer : (uint)outer] = (outer, account);
            }
        }
    }

    /// <summary>The thread's id in tpwatch's process-id namespace; the runtime knows only the id in the target's own namespace.</summary>
    public int Outer(uint inner) => marked.TryGetValue(inner, out var known) ? known.Outer : (int)inner;

    /// <summary>Whether the thread has not run since the mark: compares nanoseconds of running and waiting, and time slices.</summary>
    public bool StoodStill(uint inner) => marked.TryGetValue(inner, out var known)
        && Account(string.Create(CultureInfo.InvariantCulture, $"{folder}/task/{known.Outer}")) == known.Account;

    static string? Account(string task) => TryRead($"{task}/schedstat");

    static uint? Inner(string task) =>
        Ids($"{task}/status") is [.., var last] && uint.TryParse(last, CultureInfo.InvariantCulture, out var id) ? id : null;

    static int Namespaces(string status) => Ids(status).Length;

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
