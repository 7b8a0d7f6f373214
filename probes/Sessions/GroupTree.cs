using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// The folders of a process's control group and of those above it, for one controller, as the watcher sees them: the mounts tell where.
/// </summary>
/// <param name="Levels">Its own first, then those above it, as far as they are mounted here.</param>
/// <param name="IsOwnSeen">Whether the first is its own; else it belongs to a namespace that is not ours to see.</param>
/// <param name="IsUnified">Whether this is version 2, one tree for every controller.</param>
sealed record GroupTree(string[] Levels, bool IsOwnSeen, bool IsUnified)
{
    // Deeper than any container platform nests.
    const int MostLevels = 12;

    /// <summary>The folder of its own group; null where that is not visible.</summary>
    public string? Own => IsOwnSeen ? Levels[0] : null;

    /// <summary>
    /// Of a process: version 1 where its line names the controller, as the kernel gives a controller to one version alone, else version 2.
    /// </summary>
    public static GroupTree Of(ProcTree tree, int pid, string controller)
    {
        var lines = tree.Read(pid, "cgroup").Text?.Split('\n').Select(line => line.Split(':', 3)).Where(l => l.Length == 3).ToArray() ?? [];
        var one = Array.Find(lines, line => line[1].Split(',').Contains(controller));
        var path = (one ?? Array.Find(lines, line => line[0] == "0" && line[1].Length == 0))?[2].Trim();
        var mounts = tree.ReadSelf("mountinfo").Text?.Split('\n').Select(Mount) ?? [];
        var trees = mounts.OfType<(string Type, string Options, string Root, string Folder)>()
            .Where(m => one is null ? m.Type == "cgroup2" : m.Type == "cgroup" && m.Options.Split(',').Contains(controller))
            .Select(m => Below(m.Root, m.Folder, path) with { IsUnified = one is null }).ToArray();
        return Array.Find(trees, t => t.IsOwnSeen) ?? Array.Find(trees, t => t.Levels.Length > 0) ?? new([], IsOwnSeen: false, one is null);
    }

    // 36 35 0:31 /root/in/the/tree /where/it/is rw - type source options
    static (string Type, string Options, string Root, string Folder)? Mount(string line) =>
        line.Split(" - ", 2) is [var place, var what] && place.Split(' ') is [_, _, _, var root, var folder, ..]
            && what.Split(' ') is [var type, _, var options] ? (type, options, root, folder) : null;

    // A container's mount shows a part of the tree: what stands before it in the path is not there.
    static GroupTree Below(string root, string folder, string? path)
    {
        if (path is null || path.Contains("..", StringComparison.Ordinal) || Within(root, path) is not { } rest)
        {
            return new([], IsOwnSeen: false, IsUnified: false);
        }

        var parts = rest.Split('/', StringSplitOptions.RemoveEmptyEntries);
        var levels = Enumerable.Range(0, Math.Min(parts.Length + 1, MostLevels))
            .Select(up => Path.Combine([folder, .. parts.Take(parts.Length - up)])).ToArray();
        return new([.. levels.Where(Directory.Exists)], Directory.Exists(levels[0]), IsUnified: false);
    }

    static string? Within(string root, string path) => root == "/" ? path
        : path == root || path.StartsWith(root + "/", StringComparison.Ordinal) ? path[root.Length..]
        : null;
}
