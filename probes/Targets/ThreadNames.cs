namespace Tpwatch.Targets;

/// <summary>The names of a process's threads as the kernel reports them; the runtime names its own threads.</summary>
static class ThreadNames
{
    /// <summary>The runtime's name for a worker thread, since .NET 7.</summary>
    const string Worker = ".NET TP Worker";

    /// <summary>The runtime's name for the thread that serves its diagnostic socket, and for the thread of each session.</summary>
    const string EventPipe = ".NET EventPipe";

    /// <summary>
    /// The OS ids of the pool's worker threads, as the runtime's events report them. In a container with its own pid namespace these are
    /// the inner ids, which the kernel provides for each thread.
    /// </summary>
    public static IReadOnlySet<int> Workers(ProcTree tree, int pid)
    {
        var isInner = tree.Status(pid).InnermostPid is { } inner && inner != pid;
        return Called(tree, pid, Worker)
            .Select(id => isInner ? ProcStatus.Parse(tree.ReadThread(pid, id, "status").Text).InnermostPid : id).OfType<int>().ToHashSet();
    }

    /// <summary>Number of event sessions of a process; -1 if it has no diagnostic socket, or its runtime does not name threads.</summary>
    public static int Sessions(ProcTree tree, int pid) => Called(tree, pid, EventPipe).Count() - 1;

    /// <summary>Whether a runtime has named any of its threads, which includes the runtime inside a NativeAOT program.</summary>
    public static bool AreOfDotnet(ProcTree tree, int pid) => Called(tree, pid, ".NET ").Any();

    static IEnumerable<int> Called(ProcTree tree, int pid, string name) => tree.Threads(pid)
        .Where(id => tree.ReadThread(pid, id, "comm").Text?.StartsWith(name, StringComparison.Ordinal) == true);
}
