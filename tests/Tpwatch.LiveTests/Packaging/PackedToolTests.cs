using System.IO.Compression;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>
/// What a user installs works on a machine that has any runtime from .NET 8 on, and is small enough to fetch in an incident.
/// </summary>
[Collection(PackagingCollection.Name)]
public sealed class PackedToolTests(PackedTool packed)
{
    // Fetched over slow links in the middle of an incident.
    const int LimitBytes = 2_500_000;
    const int Minute = 60_000;

    [Fact(Timeout = Minute)]
    public Task Each_package_has_at_most_two_and_a_half_megabytes()
    {
        Assert.All(packed.Packages, file =>
        {
            var bytes = new FileInfo(file).Length;
            TestContext.Current.SendDiagnosticMessage($"{Path.GetFileName(file)}: {bytes} bytes of {LimitBytes}");
            Assert.InRange(bytes, 1, LimitBytes);
        });
        return Task.CompletedTask;
    }

    [Fact(Timeout = Minute)]
    public async Task On_linux_x64_the_one_with_images_runs()
    {
        var linux = RuntimeInformation.RuntimeIdentifier == "linux-x64";
        Assert.Equal(linux ? 2 : 1, packed.Packages.Count);
        // The command is a small program that holds the path of what it starts.
        var shim = await File.ReadAllTextAsync(packed.Program, Encoding.Latin1, TestContext.Current.CancellationToken);
        Assert.Equal(linux, shim.Contains(Path.GetRelativePath(packed.Tools, packed.Installed), StringComparison.Ordinal)
            && packed.Installed != packed.Portable);
    }

    [Fact(Timeout = Minute)]
    public async Task The_portable_one_tells_the_same()
    {
        var recording = Path.Combine(SourceBuild.Root, "tests", "Recordings", "pool-burst.nettrace");
        var cancel = TestContext.Current.CancellationToken;
        var portable = await packed.RunAsync("dotnet", $"{packed.Portable}/dotnet-tpwatch.dll report {recording}", cancel);
        Assert.Equal(await packed.RunAsync(packed.Program, $"report {recording}", cancel), portable);
        Assert.Contains("STARVED", portable.Output, StringComparison.Ordinal);
    }

    [Fact(Timeout = Minute)]
    public async Task Its_page_is_the_README_and_names_files_instead_of_linking_to_what_it_does_not_have()
    {
        await using var package = await ZipFile.OpenReadAsync(packed.Package, TestContext.Current.CancellationToken);
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
        Assert.Equal(("net8.0", "Major"), (options.GetProperty("tfm").GetString(), options.GetProperty("rollForward").GetString()));
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
