using Tpwatch.LiveTests.CommandLine;

namespace Tpwatch.LiveTests.Attach;

/// <summary>
/// A control group that is called as container runtimes call theirs, with one process in it. Where nobody may make one, the tool runs where
/// the kernel's word of the group is covered by the same text.
/// </summary>
sealed class NamedGroup : IDisposable
{
    static readonly string[] Roots = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"];

    readonly string[] made;
    readonly int pid;
    readonly string? cover;

    NamedGroup(string id, int pid, string[] made, string? cover) => (Id, this.pid, this.made, this.cover) = (id, pid, made, cover);

    /// <summary>The name that stands for the container: 64 digits.</summary>
    public string Id { get; }

    public static NamedGroup Of(int pid, string folder)
    {
        var id = Convert.ToHexStringLower(Guid.NewGuid().ToByteArray()) + Convert.ToHexStringLower(Guid.NewGuid().ToByteArray());
        foreach (var root in Roots.Where(Directory.Exists))
        {
            var outer = Path.Combine(root, FormattableString.Invariant($"tpwatch-test-{pid}"));
            string[] folders = [Path.Combine(outer, id), outer];
            try
            {
                Directory.CreateDirectory(folders[0]);
                File.WriteAllText(Path.Combine(folders[0], "cgroup.procs"), FormattableString.Invariant($"{pid}\n"));
                return new(id, pid, folders, cover: null);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                Remove(folders);
            }
        }

        var text = Path.Combine(folder, "cgroup");
        File.WriteAllText(text, $"0::/docker/{id}\n");
        return new(id, pid, [], text);
    }

    /// <summary>Runs the tool where the group is to be seen.</summary>
    public Task<ToolRun> RunAsync(params string[] arguments) => cover is null
        ? ToolRun.Of(arguments)
        : ToolRun.Program("unshare", ["--mount", "sh", "-c", "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\"", "sh", cover,
            FormattableString.Invariant($"/proc/{pid}/cgroup"), .. LiveContainer.BuiltTool, .. arguments]);

    /// <summary>The process goes back to where it may stay.</summary>
    public void Dispose()
    {
        if (made.Length > 0)
        {
            File.WriteAllText(Path.Combine(made[^1], "..", "cgroup.procs"), FormattableString.Invariant($"{pid}\n"));
            Remove(made);
        }
    }

    // Files of a group are the kernel's: it is its folder that goes, when nobody is in it.
    static void Remove(string[] folders)
    {
        foreach (var folder in folders.Where(Directory.Exists))
        {
            Directory.Delete(folder);
        }
    }
}
