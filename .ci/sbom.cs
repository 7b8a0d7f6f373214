#:property PublishAot=false
#:property ArtifactsPath=../artifacts/build
#:property NoWarn=CA1849;CA2007;CA1515;CA1305

// Puts a list of what it holds, in the form of SPDX, into each package that is named: its files with their hashes, and the libraries that
// the tool and the engine were restored with. Microsoft's program makes the list; it looks for libraries below one folder, and finds
// those of the engine only in the engine's own file.
using System.Diagnostics;
using System.IO.Compression;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Xml.Linq;

const string Manifest = "_manifest/spdx_2.2/manifest.spdx.json";
const string ContentTypes = "[Content_Types].xml";

string[] projects = ["Tpwatch.Tool", "Tpwatch.Probes"];
var restored = Directory.CreateTempSubdirectory("tpwatch-restored-");
foreach (var project in projects)
    File.Copy(
        AssetsOf(project),
        Path.Combine(restored.CreateSubdirectory(project).FullName, "project.assets.json"));
foreach (var package in args)
{
    var unpacked = Directory.CreateTempSubdirectory("tpwatch-sbom-");
    try
    {
        using (var archive = ZipFile.Open(package, ZipArchiveMode.Update))
            AllowJson(archive);
        ZipFile.ExtractToDirectory(package, unpacked.FullName);
        if (File.Exists(Path.Combine(unpacked.FullName, Manifest)))
            continue;
        var name = Regex.Match(Path.GetFileName(package), @"^(?<id>.+?)\.(?<version>\d+\.\d+\.\d+.*)\.nupkg$");
        string[] words =
        [
            "tool", "run", "sbom-tool", "generate", "-b", unpacked.FullName, "-bc", restored.FullName, "-pn", name.Groups["id"].Value,
            "-pv", name.Groups["version"].Value, "-ps", "tpwatch contributors", "-nsb", "https://spdx.org/spdxdocs", "-V", "Error",
        ];
        using var made = Process.Start(new ProcessStartInfo("dotnet", words) { RedirectStandardOutput = true })!;
        var said = await made.StandardOutput.ReadToEndAsync();
        await made.WaitForExitAsync();
        if (made.ExitCode != 0)
        {
            Console.WriteLine(said);
            return made.ExitCode;
        }

        KeepHeld(unpacked);
        using (var archive = ZipFile.Open(package, ZipArchiveMode.Update))
            archive.CreateEntryFromFile(Path.Combine(unpacked.FullName, Manifest), Manifest);
        Console.WriteLine($"{Path.GetFileName(package)}: {Manifest}");
    }
    finally
    {
        unpacked.Delete(recursive: true);
    }
}

restored.Delete(recursive: true);
return 0;

// A restore names more than a package holds: libraries that are asked for and left out, runtimes, the compiler. Kept is each library of
// which a file is in the package; in two versions, the tool's.
void KeepHeld(DirectoryInfo folder)
{
    var files = folder.GetFiles("*.dll", SearchOption.AllDirectories).Select(file => file.Name).ToHashSet(StringComparer.OrdinalIgnoreCase);
    var held = new Dictionary<string, string>();
    foreach (var project in projects)
        foreach (var (library, value) in JsonNode.Parse(File.ReadAllText(AssetsOf(project)))!["libraries"]!.AsObject())
            if (value!["files"] is JsonArray all && all.Any(file => files.Contains(Path.GetFileName(TextOf(file)))))
                held.TryAdd(library.Split('/')[0], library.Split('/')[1]);
    var file = Path.Combine(folder.FullName, Manifest);
    var list = JsonNode.Parse(File.ReadAllText(file))!;
    var gone = new HashSet<string>();
    list["packages"]!.AsArray().RemoveAll(library =>
        TextOf(library!["SPDXID"]) != "SPDXRef-RootPackage"
        && held.GetValueOrDefault(TextOf(library["name"])) != TextOf(library["versionInfo"])
        && gone.Add(TextOf(library["SPDXID"])));
    list["relationships"]!.AsArray().RemoveAll(pair =>
        gone.Contains(TextOf(pair!["relatedSpdxElement"])) || gone.Contains(TextOf(pair["spdxElementId"])));
    File.WriteAllText(file, list.ToJsonString());
}

string TextOf(JsonNode? value) => (string?)value ?? "";

string AssetsOf(string project) => $"artifacts/obj/{project}/project.assets.json";

// A package says of which kind the files of an ending are, or is none.
static void AllowJson(ZipArchive archive)
{
    var entry = archive.GetEntry(ContentTypes)!;
    XDocument types;
    using (var read = entry.Open())
        types = XDocument.Load(read);
    if (types.Root!.Elements().Any(type => type.Attribute("Extension")?.Value == "json"))
        return;
    types.Root.Add(new XElement(
        types.Root.Name.Namespace + "Default", new XAttribute("Extension", "json"), new XAttribute("ContentType", "application/octet")));
    entry.Delete();
    using var write = archive.CreateEntry(ContentTypes).Open();
    types.Save(write);
}
