namespace Tpwatch.Targets;

/// <summary>Finds the files that lie beside a target's program, such as its runtimeconfig.json. A single-file program has none.</summary>
static class ProgramFiles
{
    /// <summary>Where it may lie, the likeliest first; what the host's command line says counts more than what lies beside.</summary>
    /// <param name="tree">Where processes are seen.</param>
    /// <param name="pid">The target.</param>
    /// <param name="option">The host's option that names it; null where there is none.</param>
    /// <param name="ending">Its ending in place of the assembly's.</param>
    public static IEnumerable<string> Candidates(ProcTree tree, int pid, string? option, string ending) =>

        // Through the target's root first: in a container the same path means another file on our side.
        from path in Paths(tree, pid, option, ending)
        from seen in (string[])[tree.PathOf(pid, "root") + path, path]
        where path.StartsWith('/')
        select seen;

    /// <summary>The text of a file of somebody else's; null where it is none, or larger than that.</summary>
    public static string? Read(string path, long mostBytes)
    {
        try
        {
            // A pipe of that name has no length, and reading it would wait for somebody who writes.
            FileInfo named = new(path);
            var file = named.ResolveLinkTarget(returnFinalTarget: true) as FileInfo ?? named;
            return file is { Exists: true, Length: > 0 } && file.Length <= mostBytes ? File.ReadAllText(path) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    static IEnumerable<string> Paths(ProcTree tree, int pid, string? option, string ending)
    {
        var arguments = tree.Arguments(pid) ?? [];
        var folder = tree.Link(pid, "cwd") ?? "/";
        var entry = CommandLine.EntryAssembly(arguments);

        // Before the assembly stand the host's own words: exec, options, their values.
        for (var i = 1; entry is not null && arguments[i] != entry; i++)
        {
            if (option is not null && arguments[i] == option)
            {
                yield return Path.Combine(folder, arguments[i + 1]);
            }
        }

        if (entry is { } assembly)
        {
            yield return Path.ChangeExtension(Path.Combine(folder, assembly), ending);
            yield return Path.ChangeExtension(Mapped(tree, pid, CommandLine.FileName(assembly)), ending) ?? "";
        }
        else if (tree.Link(pid, "exe") is { } executable)
        {
            yield return executable + ending;
        }
    }

    // The program may have changed its folder since it was started by a relative path; the loaded assembly knows where it came from.
    static string? Mapped(ProcTree tree, int pid, string fileName) =>
        (tree.Read(pid, "maps").Text ?? "").Split('\n')
            .Where(line => line.EndsWith("/" + fileName, StringComparison.Ordinal))
            .Select(line => line[line.IndexOf('/')..])
            .FirstOrDefault();
}
