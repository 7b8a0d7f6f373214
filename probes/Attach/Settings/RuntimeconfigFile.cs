using System.Collections.Immutable;
using Tpwatch.Attach.Processes;
using Tpwatch.Reports;

namespace Tpwatch.Attach.Settings;

/// <summary>Finds the target's runtimeconfig.json. A single-file program has it inside its executable: then nothing is found.</summary>
static class RuntimeconfigFile
{
    // Real ones have a few hundred bytes; the file belongs to somebody else.
    const long MostBytes = 1 << 20;

    public static ImmutableArray<PoolSetting> Settings(ProcTree tree, int pid) =>
        Candidates(tree, pid).Select(Read).FirstOrDefault(text => text is not null) is { } json ? PoolSettings.OfRuntimeconfig(json) : [];

    // Through the target's root first: in a container the same path means another file on our side.
    static IEnumerable<string> Candidates(ProcTree tree, int pid) =>
        from path in Paths(tree, pid)
        from seen in (string[])[tree.PathOf(pid, "root") + path, path]
        where path.StartsWith('/')
        select seen;

    static IEnumerable<string> Paths(ProcTree tree, int pid)
    {
        var arguments = tree.Arguments(pid) ?? [];
        var folder = tree.Link(pid, "cwd") ?? "/";
        var entry = CommandLine.EntryAssembly(arguments);
        // Before the assembly stand the host's own words: exec, options, their values.
        for (var i = 1; entry is not null && arguments[i] != entry; i++)
        {
            if (arguments[i] == "--runtimeconfig")
            {
                yield return Path.Combine(folder, arguments[i + 1]);
            }
        }

        if (entry is { } assembly)
        {
            yield return Path.ChangeExtension(Path.Combine(folder, assembly), ".runtimeconfig.json");
            yield return Path.ChangeExtension(Mapped(tree, pid, CommandLine.FileName(assembly)), ".runtimeconfig.json") ?? "";
        }
        else if (tree.Link(pid, "exe") is { } executable)
        {
            yield return executable + ".runtimeconfig.json";
        }
    }

    // The program may have changed its folder since it was started by a relative path; the loaded assembly knows where it came from.
    static string? Mapped(ProcTree tree, int pid, string fileName) =>
        (tree.Read(pid, "maps").Text ?? "").Split('\n')
            .Where(line => line.EndsWith("/" + fileName, StringComparison.Ordinal))
            .Select(line => line[line.IndexOf('/')..])
            .FirstOrDefault();

    static string? Read(string path)
    {
        try
        {
            // A pipe of that name has no length, and reading it would wait for somebody who writes.
            FileInfo named = new(path);
            var file = named.ResolveLinkTarget(returnFinalTarget: true) as FileInfo ?? named;
            return file is { Exists: true, Length: > 0 and <= MostBytes } ? File.ReadAllText(path) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
