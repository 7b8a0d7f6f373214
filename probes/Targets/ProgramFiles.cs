namespace Tpwatch.Targets;

/// <summary>
/// Finds files in the folder of a target's program, such as its runtimeconfig.json. A single-file program has no such files.
/// </summary>
static class ProgramFiles
{
    /// <summary>
    /// Possible paths of a file, most likely first: the path in an option of the host's command line precedes the program's folder.
    /// </summary>
    /// <param name="tree">The /proc tree in which the target is visible.</param>
    /// <param name="pid">The target.</param>
    /// <param name="option">The host's option that names the file; null if there is none.</param>
    /// <param name="ending">The extension that replaces the assembly's extension.</param>
    public static IEnumerable<string> Candidates(ProcTree tree, int pid, string? option, string ending) =>

        // First through the target's root: in a container, the same path refers to another file in tpwatch's namespace.
        from path in Paths(tree, pid, option, ending)
        from seen in (string[])[tree.PathOf(pid, "root") + path, path]
        where path.StartsWith('/')
        select seen;

    /// <summary>
    /// The text of a file that does not belong to tpwatch; null if it does not exist, or is larger than <paramref name="mostBytes"/>.
    /// </summary>
    public static string? Read(string path, long mostBytes)
    {
        try
        {
            // A named pipe has no length, and reading it would wait for a writer.
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

        // The arguments before the assembly belong to the host: exec, options and their values.
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

    // The program may have changed its current folder after it was started by a relative path; the memory map has the assembly's full path.
    static string? Mapped(ProcTree tree, int pid, string fileName) =>
        (tree.Read(pid, "maps").Text ?? "").Split('\n')
            .Where(line => line.EndsWith("/" + fileName, StringComparison.Ordinal))
            .Select(line => line[line.IndexOf('/')..])
            .FirstOrDefault();
}
