using System.Text.Json.Nodes;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>
/// A folder like the one that .NET is installed in, with one runtime alone: links to that with which the fixtures are published. So it is
/// the installed package that runs there, which a tool published with a runtime of its own would not be.
/// </summary>
static class SingleRuntime
{
    const string Framework = "Microsoft.NETCore.App";
    const string Pack = "runtimepack." + Framework + ".Runtime.";

    /// <summary>Finds and checks the runtime before anything else; belongs beside the other frameworks' starter.</summary>
    const string Resolver = "libhostfxr.so";

    /// <summary>Makes it below <paramref name="folder"/>; the path for DOTNET_ROOT.</summary>
    public static async Task<string> OfAsync(TargetRuntime runtime, string folder, CancellationToken cancel)
    {
        var published = Path.GetDirectoryName(FixtureBuild.Command(runtime).FileName)!;
        var known = JsonNode.Parse(await File.ReadAllTextAsync(Directory.GetFiles(published, "*.deps.json").Single(), cancel))!;
        var name = known["runtimeTarget"]!["name"]!.GetValue<string>();
        var (pack, assets) = known["targets"]![name]!.AsObject().Single(library => library.Key.StartsWith(Pack, StringComparison.Ordinal));
        var version = pack.Split('/')[1];
        var root = Path.Combine(folder, runtime.ToString());
        var shared = Directory.CreateDirectory(Path.Combine(root, "shared", Framework, version)).FullName;
        var host = Directory.CreateDirectory(Path.Combine(root, "host", "fxr", version)).FullName;
        foreach (var (file, _) in ((string[])["runtime", "native"]).SelectMany(kind => assets![kind]!.AsObject()))
        {
            File.CreateSymbolicLink(Path.Combine(file == Resolver ? host : shared, file), Path.Combine(published, file));
        }

        await File.WriteAllTextAsync(
            Path.Combine(shared, $"{Framework}.deps.json"), Dependencies(name, pack["runtimepack.".Length..], assets!), cancel);
        return root;
    }

    static string Dependencies(string target, string pack, JsonNode assets) => new JsonObject
    {
        ["runtimeTarget"] = new JsonObject { ["name"] = target },
        ["targets"] = new JsonObject { [target] = new JsonObject { [pack] = assets.DeepClone() } },
        ["libraries"] = new JsonObject { [pack] = new JsonObject { ["type"] = "package", ["serviceable"] = true, ["sha512"] = "" } },
    }.ToJsonString();
}
