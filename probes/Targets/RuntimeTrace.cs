namespace Tpwatch.Targets;

/// <summary>What the memory map of a process shows of a .NET runtime.</summary>
/// <param name="IsDotnet">Null when the map must not be read.</param>
/// <param name="Version">Version of a shared runtime, from its folder's name; null for a self-contained program.</param>
sealed record RuntimeTrace(bool? IsDotnet, string? Version)
{
    // A single-file program carries the runtime inside its executable; what shows is the mapping through which the runtime
    // writes the code it generates (.NET 7 and later). NativeAOT generates none.
    const string CodeMapping = "/memfd:doublemapper";
    const string Library = "/libcoreclr.so";

    public static RuntimeTrace Of(ProcTree tree, int pid)
    {
        var maps = tree.Read(pid, "maps");
        return maps.Text is { } text ? Parse(text) : new RuntimeTrace(maps.Denied ? null : false, null);
    }

    /// <summary>
    /// Whether it is a NativeAOT program that has an event pipe. One that is being killed has no map any more, and is none for that.
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
