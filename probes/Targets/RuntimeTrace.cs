namespace Tpwatch.Targets;

/// <summary>Signs of a .NET runtime in the memory map of a process.</summary>
/// <param name="IsDotnet">Whether the process is a .NET process; null if the map cannot be read.</param>
/// <param name="Version">Version of a shared runtime, from the name of its folder; null for a self-contained program.</param>
sealed record RuntimeTrace(bool? IsDotnet, string? Version)
{
    // A single-file program contains the runtime in its executable; its map shows the mapping through which the runtime writes the code it
    // generates (.NET 7 and later). NativeAOT generates no code.
    const string CodeMapping = "/memfd:doublemapper";
    const string Library = "/libcoreclr.so";

    public static RuntimeTrace Of(ProcTree tree, int pid)
    {
        var maps = tree.Read(pid, "maps");
        return maps.Text is { } text ? Parse(text) : new RuntimeTrace(maps.Denied ? null : false, null);
    }

    /// <summary>
    /// Whether the process is a NativeAOT program with an event pipe. A process that is being killed has an empty map and does not count.
    /// </summary>
    public static bool IsNativeAot(ProcTree tree, int pid) => tree.Read(pid, "maps").Text is { Length: > 0 } maps
        && Parse(maps).IsDotnet == false && ThreadNames.AreOfDotnet(tree, pid);

    public static RuntimeTrace Parse(string maps)
    {
        var library = maps.IndexOf(Library, StringComparison.Ordinal);
        if (library < 0)
        {
            return new RuntimeTrace(maps.Contains(CodeMapping, StringComparison.Ordinal), null);
        }

        var folder = maps[(maps.LastIndexOf('/', library - 1) + 1)..library];
        return new RuntimeTrace(true, folder.Length > 0 && char.IsAsciiDigit(folder[0]) ? folder : null);
    }
}
