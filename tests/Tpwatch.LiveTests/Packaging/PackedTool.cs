using System.Diagnostics;
using Tpwatch.Basics;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>
/// The tool as a user gets it: packed from the source as the README says, installed from a folder, in folders that vanish with the tests.
/// </summary>
public sealed class PackedTool : IAsyncLifetime
{
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(3);

    const string WithImages = "dotnet-tpwatch.linux-x64";

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-packed-");

    /// <summary>Where the package lies.</summary>
    public string Folder => this.folder.FullName;

    /// <summary>The portable one, and where the SDK can make it the one with images for linux-x64.</summary>
    public IReadOnlyList<string> Packages => Directory.GetFiles(this.folder.FullName, "*.nupkg");

    public string Package => Packages.Single(file => !file.Contains(WithImages, StringComparison.Ordinal));

    public string Tools => Path.Combine(this.folder.FullName, "tools");

    /// <summary>The installed tool.</summary>
    public string Program => Path.Combine(Tools, "dotnet-tpwatch");

    /// <summary>Where the files of the package that runs lie after the installation.</summary>
    public string Installed => InstalledFrom(images: Packages.Count > 1);

    /// <summary>Where those of the portable package lie, which runs on other machines.</summary>
    public string Portable => InstalledFrom(images: false);

    public async ValueTask InitializeAsync()
    {
        var clock = Stopwatch.StartNew();
        await Shell($"{ReadmeCommands.Pack} -o {this.folder.FullName}");
        await Shell($"dotnet tool install dotnet-tpwatch --tool-path {Tools} --add-source {this.folder.FullName}");
        TestContext.Current.SendDiagnosticMessage($"packed and installed in {Format.Duration(clock.Elapsed.TotalMilliseconds)}");
    }

    public ValueTask DisposeAsync()
    {
        this.folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    string InstalledFrom(bool images) => Path.GetDirectoryName(Directory.GetFiles(Tools, "dotnet-tpwatch.dll", SearchOption.AllDirectories)
        .Single(file => file.Contains(WithImages, StringComparison.Ordinal) == images))!;

    static async Task Shell(string line)
    {
        var (exit, output) = await SdkRun.OfAsync(
            new("/bin/sh", ["-c", line]) { WorkingDirectory = SourceBuild.Root }, Limit, CancellationToken.None);
        Assert.True(exit == 0, $"{line}\n{output}");
    }

    /// <summary>Runs a program with the installed tool on PATH; standard output and error together.</summary>
    public Task<(int Exit, string Output)> RunAsync(string program, string arguments, CancellationToken cancel)
    {
        var start = new ProcessStartInfo(program, arguments.Split(' ')) { WorkingDirectory = this.folder.FullName };
        start.Environment["PATH"] = Tools + Path.PathSeparator + Environment.GetEnvironmentVariable("PATH");
        return SdkRun.OfAsync(start, Limit, cancel);
    }
}
