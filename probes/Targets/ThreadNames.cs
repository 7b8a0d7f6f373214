namespace Tpwatch.Targets;

/// <summary>The names of a process's threads as the kernel has them; the runtime names those of the pool.</summary>
static class ThreadNames
{
    /// <summary>What the runtime calls a worker, since .NET 7.</summary>
    const string Worker = ".NET TP Worker";

    /// <summary>What it calls the thread behind its diagnostic socket, and the one behind each session.</summary>
    const string EventPipe = ".NET EventPipe";

    /// <summary>
    /// The pool's workers, by the ids that the runtime's events give them. In a container with process ids of its own these are the
    /// inner ones, and the kernel tells which is which.
    /// </summary>
    public static IReadOnlySet<int> Workers(ProcTree tree, int pid)
    {
        var isInner = tree.Status(pid).InnermostPid is { } inner && inner != pid;
        return Called(tree, pid, Worker)
            .Select(id => isInner ? ProcStatus.Parse(tree.ReadThread(pid, id, "status").Text).InnermostPid : id).OfType<int>().ToHashSet();
    }

    /// <summary>How many event sessions it sends; -1 without a diagnostic socket, or where it does not name its threads.</summary>
    public static int Sessions(ProcTree tree, int pid) => Called(tree, pid, EventPipe).Count() - 1;

    /// <summary>Whether a runtime has named any thread of its own, as one that is compiled into its program does as well.</summary>
    public static bool AreOfDotnet(ProcTree tree, int pid) => Called(tree, pid, ".NET ").Any();

    static IEnumerable<int> Called(ProcTree tree, int pid, string name) => tree.Threads(pid)
        .Where(id => tree.ReadThread(pid, id, "comm").Text?.StartsWith(name, StringComparison.Ordinal) == true);
}
