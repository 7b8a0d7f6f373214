using Tpwatch.Attach.Processes;

namespace Tpwatch.Attach.Running;

/// <summary>The names of a process's threads as the kernel has them; the runtime names those of the pool.</summary>
static class ThreadNames
{
    /// <summary>What the runtime calls a worker, since .NET 7.</summary>
    const string Worker = ".NET TP Worker";

    /// <summary>
    /// The pool's workers, by the ids that the runtime's events give them. In a container with process ids of its own these are the
    /// inner ones, and the kernel tells which is which.
    /// </summary>
    public static IReadOnlySet<int> Workers(ProcTree tree, int pid)
    {
        var isInner = tree.Status(pid).InnermostPid is { } inner && inner != pid;
        return tree.Threads(pid).Where(id => tree.ReadThread(pid, id, "comm").Text?.TrimEnd('\n') == Worker)
            .Select(id => isInner ? ProcStatus.Parse(tree.ReadThread(pid, id, "status").Text).InnermostPid : id).OfType<int>().ToHashSet();
    }
}
