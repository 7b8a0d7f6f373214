using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text.Json;

namespace Tpwatch.Targets;

/// <summary>
/// Finds the assemblies of the application's own code, without packages: the projects in the target's .deps.json. Without that file, takes
/// the entry assembly and the unsigned assemblies in its folder. Throws no exception, whatever the files contain.
/// </summary>
static class ApplicationAssemblies
{
    /// <summary>Maximum size of a .deps.json file, bytes. An application with a thousand packages has 3 MB.</summary>
    const long MostBytes = 16 << 20;

    /// <summary>Maximum number of assemblies that are read, more than an application's folder usually has.</summary>
    const int MostFiles = 500;

    /// <summary>Maximum number of names, because recordings store every name; more than a solution has projects.</summary>
    const int MostNames = 500;

    /// <summary>Names of the application's assemblies, without extension; null if unknown, as for a single-file program.</summary>
    public static ImmutableHashSet<string>? Of(ProcTree tree, int pid)
    {
#pragma warning disable CA1031 // an invalid file of the target must not end the watch
        try
        {
            return Some(ProgramFiles.Candidates(tree, pid, "--depsfile", ".deps.json")
                    .Select(path => ProgramFiles.Read(path, MostBytes)).OfType<string>().Select(Projects)
                    .FirstOrDefault(names => names.Count > 0))
                ?? Some(ProgramFiles.Candidates(tree, pid, null, ".dll").Where(File.Exists).Select(Unsigned).FirstOrDefault());
        }
        catch (Exception)
        {
            return null;
        }
#pragma warning restore CA1031
    }

    static ImmutableHashSet<string>? Some(IReadOnlyCollection<string>? names) =>
        names is { Count: > 0 } ? [.. names.Order(StringComparer.Ordinal).Take(MostNames)] : null;

    /// <summary>The assembly names of all libraries whose type is project; empty if the text is not a valid .deps.json.</summary>
    internal static IReadOnlyCollection<string> Projects(string json)
    {
        try
        {
            using var file = JsonDocument.Parse(json);
            var projects = Members(file.RootElement, "libraries")
                .Where(l => Member(l.Value, "type") is { ValueKind: JsonValueKind.String } type && type.ValueEquals("project"))
                .Select(l => l.Name).ToHashSet(StringComparer.Ordinal);
            return Members(file.RootElement, "targets").SelectMany(t => Members(t.Value))
                .Where(l => projects.Contains(l.Name))
                .SelectMany(l => Members(l.Value, "runtime")).Select(a => Path.GetFileNameWithoutExtension(a.Name))
                .ToHashSet(StringComparer.Ordinal);
        }
        catch (JsonException)
        {
            return [];
        }
    }

    // The folder of the entry assembly also contains the assemblies of packages, most of which are signed.
    static HashSet<string> Unsigned(string entry)
    {
        try
        {
            return Directory.EnumerateFiles(Path.GetDirectoryName(entry)!, "*.dll").Take(MostFiles).Where(IsUnsigned).Append(entry)
                .Select(path => Path.GetFileNameWithoutExtension(path)!).ToHashSet(StringComparer.Ordinal);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    static bool IsUnsigned(string path)
    {
        try
        {
            // A named pipe has length 0 and is excluded, because opening a pipe would wait for a writer.
            if (new FileInfo(path) is not { Length: > 0 })
            {
                return false;
            }

            using var file = new PEReader(File.OpenRead(path));
            return file.HasMetadata && file.GetMetadataReader() is { IsAssembly: true } assembly
                && assembly.GetAssemblyDefinition().PublicKey.IsNil;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or BadImageFormatException or InvalidOperationException)
        {
            return false;
        }
    }

    static JsonProperty[] Members(JsonElement of, string name) => Member(of, name) is { } member ? Members(member) : [];

    static JsonProperty[] Members(JsonElement of) => of.ValueKind == JsonValueKind.Object ? [.. of.EnumerateObject()] : [];

    internal static JsonElement? Member(JsonElement of, string name) =>
        of.ValueKind == JsonValueKind.Object && of.TryGetProperty(name, out var member) ? member : null;
}

/// <summary>Signs of a .NET runtime in the memory map of a process.</summary>
/// <param name="IsDotnet">Whether the process is a .NET process; null if the map cannot be read.</param>
/// <param name="Version">Version of a shared runtime, from the name of its folder; null for a self-contained program.</param>
sealed record MappedRuntime(bool? IsDotnet, string? Version)
{
    // A single-file program has the runtime in its executable. Its memory map shows the mapping through which the runtime writes the code
    // that it generates (.NET 7 and later). NativeAOT generates no code and has no such mapping.
    const string CodeMapping = "/memfd:doublemapper";
    const string Library = "/libcoreclr.so";

    // An assembly in the memory map of every .NET process, except a single-file program, whose map shows no assemblies.
    const string AnyAssembly = "System.Private.CoreLib.dll";
    const string Kestrel = "Microsoft.AspNetCore.Server.Kestrel";

    public static MappedRuntime Of(ProcTree tree, int pid)
    {
        var maps = tree.Read(pid, "maps");
        return maps.Text is { } text ? Parse(text) : new MappedRuntime(maps.Denied ? null : false, null);
    }

    /// <summary>
    /// Whether the process is a NativeAOT program with EventPipe. False for a process that is being killed, whose memory map is empty.
    /// </summary>
    public static bool IsNativeAot(ProcTree tree, int pid) => tree.Read(pid, "maps").Text is { Length: > 0 } maps
        && Parse(maps).IsDotnet == false && ThreadNames.AreOfDotnet(tree, pid);

    /// <summary>Whether Kestrel, the web server, is loaded; true also if the map cannot be read or shows no assemblies.</summary>
    public static bool MayHaveKestrel(ProcTree tree, int pid) => tree.Read(pid, "maps").Text is not { } maps
        || maps.Contains(Kestrel, StringComparison.Ordinal) || !maps.Contains(AnyAssembly, StringComparison.Ordinal);

    public static MappedRuntime Parse(string maps)
    {
        var library = maps.IndexOf(Library, StringComparison.Ordinal);
        if (library < 0)
        {
            return new MappedRuntime(maps.Contains(CodeMapping, StringComparison.Ordinal), null);
        }

        var folder = maps[(maps.LastIndexOf('/', library - 1) + 1)..library];
        return new MappedRuntime(true, folder.Length > 0 && char.IsAsciiDigit(folder[0]) ? folder : null);
    }
}
