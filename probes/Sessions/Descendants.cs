using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>What a process has started.</summary>
static class Descendants
{
    /// <summary>Its first descendant with a runtime, such as "App (4711)"; null when there is none, or outside Linux.</summary>
    public static string? FirstDotnet(Machine machine, int pid)
    {
        for (Queue<int> left = new(Children(machine, pid)); left.TryDequeue(out var child);)
        {
            if (ProcessPortrait.Of(machine, child) is { Socket.Path: not null } portrait)
            {
                return string.Create(CultureInfo.InvariantCulture, $"{portrait.Name} ({child})");
            }

            foreach (var grandchild in Children(machine, child))
            {
                left.Enqueue(grandchild);
            }
        }

        return null;
    }

    // The main thread's children are all that matter: shells and launchers have no other thread.
    static IEnumerable<int> Children(Machine machine, int pid)
    {
        var text = machine.IsLinux
            ? machine.Tree.Read(pid, string.Create(CultureInfo.InvariantCulture, $"task/{pid}/children")).Text
            : null;
        return (text ?? "").Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(id => int.Parse(id, CultureInfo.InvariantCulture));
    }
}
