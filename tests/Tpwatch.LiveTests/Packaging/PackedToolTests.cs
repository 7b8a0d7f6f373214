using System.Diagnostics;
using System.IO.Compression;
using System.Reflection.PortableExecutable;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text.Json;
using System.Xml.Linq;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>
/// What a user installs is compiled for that machine, holds nothing that the tool does not need, and is small enough to fetch in an
/// incident.
/// </summary>
[Collection(PackagingCollection.Name)]
public sealed class PackedToolTests(PackedTool packed) : OfPackages
{
    // Fetched over slow links in the middle of an incident.
    const int LimitBytes = 12_000_000;
    const int Minute = 60_000;
    const string Any = "any";

    public static TheoryData<string> Machines => new("linux-x64", "linux-arm64", "linux-musl-x64", "osx-arm64", "win-x64", Any);

    [Fact(Timeout = Minute)]
    public Task Each_package_has_at_most_twelve_megabytes()
    {
        Assert.Equal(1 + Machines.Count, packed.Packages.Count);
        Assert.All(packed.Packages, file =>
        {
            var bytes = new FileInfo(file).Length;
            TestContext.Current.SendDiagnosticMessage($"{Path.GetFileName(file)}: {bytes} bytes of {LimitBytes}");
            Assert.InRange(bytes, 1, LimitBytes);
        });
        return Task.CompletedTask;
    }

    [Fact(Timeout = Minute)]
    public async Task They_are_made_as_the_README_says() =>
        Assert.Contains(
            $"Dotnet(\"{ReadmeCommands.Pack["dotnet ".Length..]}\")",
            await File.ReadAllTextAsync(Path.Combine(SourceBuild.Root, "build.cs"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal);

    [Theory(Timeout = Minute)]
    [MemberData(nameof(Machines))]
    public async Task Each_machine_s_package_is_compiled_for_it_and_holds_nothing_else(string machine)
    {
        await using var package = await ZipFile.OpenReadAsync(packed.PackageFor(machine), TestContext.Current.CancellationToken);
        var folder = $"tools/net10.0/{machine}/";
        string[] files =
            [.. package.Entries.Select(entry => entry.FullName).Where(name => name.StartsWith("tools/", StringComparison.Ordinal))];
        // No symbols, no documentation, no library of an operating system, no texts in other languages: those lie in folders of their own.
        Assert.All(files, file => Assert.Matches($@"^{folder}[^/]+\.(dll|json)$|^{folder}DotnetToolSettings\.xml$", file));
        Assert.Contains($"{folder}Tpwatch.Fixtures.dll", files);
        Assert.NotNull(package.GetEntry("NOTICE.txt"));
        string[] compiled =
            ["dotnet-tpwatch.dll", "Tpwatch.Probes.dll", "Microsoft.Diagnostics.Tracing.TraceEvent.dll", "Terminal.Gui.dll"];
        foreach (var assembly in compiled)
        {
            using var bytes = new MemoryStream();
            await using (var entry = await package.GetEntry(folder + assembly)!.OpenAsync(TestContext.Current.CancellationToken))
            {
                await entry.CopyToAsync(bytes, TestContext.Current.CancellationToken);
            }

            bytes.Position = 0;
            using var image = new PEReader(bytes);
            Assert.Equal(machine != Any, image.PEHeaders.CorHeader!.ManagedNativeHeaderDirectory.Size > 0);
        }
    }

    [Fact(Timeout = Minute)]
    public void The_one_of_this_machine_is_installed()
    {
        Assert.SkipUnless(RuntimeInformation.RuntimeIdentifier == "linux-x64", "the tests know the package of linux-x64 alone");
        Assert.EndsWith(Path.Combine("net10.0", "linux-x64"), packed.Installed, StringComparison.Ordinal);
        Assert.EndsWith(Path.Combine("net10.0", Any), packed.AnyInstalled, StringComparison.Ordinal);
    }

    [Fact(Timeout = Minute)]
    public async Task It_runs_without_being_installed()
    {
        var recording = Path.Combine(SourceBuild.Root, "tests", "Recordings", "pool-burst.nettrace");
        var start = new ProcessStartInfo("/bin/sh", ["-c", $"{ReadmeCommands.WithoutInstalling(packed.Folder)} report {recording}"]);
        // A cache of its own: there an earlier build's package has the same version.
        start.Environment["NUGET_PACKAGES"] = Path.Combine(packed.Folder, "cache");
        // The SDK has dnx in its own folder, which not every shell looks into.
        var sdk = Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));
        start.Environment["PATH"] = sdk + Path.PathSeparator + Environment.GetEnvironmentVariable("PATH");
        var (exit, output) = await SdkRun.OfAsync(start, TimeSpan.FromMilliseconds(Minute), TestContext.Current.CancellationToken);
        Assert.True(exit == 0, output);
        Assert.Contains("STARVED", output, StringComparison.Ordinal);
    }

    [Fact(Timeout = Minute)]
    public async Task Its_page_is_the_README_and_names_files_instead_of_linking_to_what_it_does_not_have()
    {
        await using var package = await ZipFile.OpenReadAsync(packed.PackageFor(null), TestContext.Current.CancellationToken);
        using var reader = new StreamReader(await package.GetEntry("README.md")!.OpenAsync(TestContext.Current.CancellationToken));
        var page = (await reader.ReadToEndAsync(TestContext.Current.CancellationToken)).ReplaceLineEndings("\n");
        Assert.Empty(ReadmeCommands.FilesLinkedFrom(page));
        string[] named = [.. ReadmeCommands.FilesLinkedFrom(ReadmeCommands.Page)];
        Assert.True(named.Length > 5);
        Assert.All(named, file => Assert.Contains($"(see {file})", page, StringComparison.Ordinal));
        Assert.Equal(
            ReadmeCommands.Page.Split('\n').Where(line => !ReadmeCommands.FilesLinkedFrom(line).Any()),
            page.Split('\n').Where(line => !named.Any(file => line.Contains($"(see {file})", StringComparison.Ordinal))));
    }

    [Theory(Timeout = Minute)]
    [MemberData(nameof(Machines))]
    [InlineData("")]
    public async Task It_says_what_it_is_whose_it_is_and_what_it_holds(string machine)
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var package = await ZipFile.OpenReadAsync(packed.PackageFor(machine.Length > 0 ? machine : null), cancel);
        await using var nuspec = await package.GetEntry(machine.Length > 0 ? $"dotnet-tpwatch.{machine}.nuspec" : "dotnet-tpwatch.nuspec")!
            .OpenAsync(cancel);
        var about = (await XDocument.LoadAsync(nuspec, LoadOptions.None, cancel)).Descendants()
            .ToLookup(element => element.Name.LocalName, element => element.Value);
        Assert.Contains("threadpool", Assert.Single(about["tags"]), StringComparison.Ordinal);
        Assert.Equal("MIT", Assert.Single(about["license"]));
        string[] files =
            ["CHANGELOG.md", "NOTICE.txt", "LICENSE-APACHE.txt", "skills/tpwatch/SKILL.md", .. about["icon"], .. about["readme"]];
        Assert.All(files, file => Assert.NotNull(package.GetEntry(file)));
        Assert.StartsWith("CHANGELOG.md", Assert.Single(about["releaseNotes"]), StringComparison.Ordinal);
        await using var list = await package.GetEntry("_manifest/spdx_2.2/manifest.spdx.json")!.OpenAsync(cancel);
        var held = (await JsonDocument.ParseAsync(list, cancellationToken: cancel)).RootElement;
        Assert.Equal("SPDX-2.2", held.GetProperty("spdxVersion").GetString());
        var libraries = held.GetProperty("packages").EnumerateArray().Select(library => library.GetProperty("name").GetString()!).ToArray();
        string[] some = ["ModelContextProtocol.Core", "System.CommandLine", "Terminal.Gui", "Microsoft.Diagnostics.Tracing.TraceEvent",
            "Microsoft.Diagnostics.NETCore.Client", "Microsoft.Diagnostics.Runtime"];
        // The package for no machine only names the others.
        Assert.All(some, library => Assert.Equal(machine.Length > 0, libraries.Contains(library)));
        Assert.DoesNotContain(libraries, library => library.StartsWith("Azure.", StringComparison.Ordinal) || library == "Markdig");
        Assert.Distinct(libraries);
        foreach (var file in held.GetProperty("files").EnumerateArray())
        {
            var hash = file.GetProperty("checksums").EnumerateArray()
                .Single(sum => sum.GetProperty("algorithm").GetString() == "SHA256").GetProperty("checksumValue").GetString()!;
            await using var bytes = await package.GetEntry(file.GetProperty("fileName").GetString()!["./".Length..])!.OpenAsync(cancel);
            Assert.Equal(hash, Convert.ToHexStringLower(await SHA256.HashDataAsync(bytes, cancel)), ignoreCase: true);
        }
    }

    [Fact(Timeout = Minute, Explicit = true)]
    public async Task Beside_the_single_file_stands_its_checksum()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var bytes = File.OpenRead(PackedTool.SingleFile);
        Assert.Equal($"{Convert.ToHexStringLower(await SHA256.HashDataAsync(bytes, cancel))}  dotnet-tpwatch\n",
            await File.ReadAllTextAsync(PackedTool.SingleFile + ".sha256", cancel));
    }

    [Theory(Timeout = Minute)]
    [InlineData("dotnet", "tpwatch --version")]
    [InlineData("dotnet-tpwatch", "--version")]
    public async Task It_runs_as_a_dotnet_command_and_by_its_own_name(string program, string arguments)
    {
        var path = program == "dotnet" ? program : Path.Combine(packed.Tools, program);
        var (exit, output) = await packed.RunAsync(path, arguments, TestContext.Current.CancellationToken);
        Assert.Matches(@"^\d+\.\d+\.\d+", output);
        Assert.Equal(0, exit);
    }

    [Theory(Timeout = Minute)]
    [InlineData("dotnet-tpwatch.runtimeconfig.json")]
    [InlineData("Tpwatch.Fixtures.runtimeconfig.json")]
    public async Task It_and_its_fixtures_run_on_the_runtime_that_is_there(string file)
    {
        await using var text = File.OpenRead(Path.Combine(packed.Installed, file));
        using var config = await JsonDocument.ParseAsync(text, cancellationToken: TestContext.Current.CancellationToken);
        var options = config.RootElement.GetProperty("runtimeOptions");
        Assert.Equal(("net10.0", "Major"), (options.GetProperty("tfm").GetString(), options.GetProperty("rollForward").GetString()));
        // The base runtime alone: a box without ASP.NET Core is a box too.
        Assert.Equal("Microsoft.NETCore.App", options.GetProperty("framework").GetProperty("name").GetString());
    }

    [Fact(Timeout = Minute)]
    public async Task The_fixtures_start_from_the_folder_of_the_tool()
    {
        Assert.True(File.Exists(Path.Combine(packed.Installed, "Tpwatch.Fixtures.deps.json")));
        var fixtures = Path.Combine(packed.Installed, "Tpwatch.Fixtures.dll");
        var (exit, output) = await packed.RunAsync("dotnet", $"exec {fixtures} list", TestContext.Current.CancellationToken);
        Assert.True(exit == 0, output);
    }
}
