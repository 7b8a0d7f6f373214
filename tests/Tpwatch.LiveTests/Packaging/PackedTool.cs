using System.Diagnostics;
using Tpwatch.Basics;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>
/// The tool as a user gets it: packed from the source as the README says, installed from a folder, in folders that vanish with the tests.
/// </summary>
public sealed class PackedTool : IAsyncLifetime
{
    /// <summary>Six packages are compiled ahead where nothing was packed before.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(8);

    const string Id = "dotnet-tpwatch";

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-packed-");

    /// <summary>Where the packages lie.</summary>
    public string Folder => this.folder.FullName;

    /// <summary>The one that is named when it is installed, and one for each kind of machine.</summary>
    public IReadOnlyList<string> Packages => Directory.GetFiles(this.folder.FullName, "*.nupkg");

    public string Tools => Path.Combine(this.folder.FullName, "tools");

    /// <summary>The installed tool.</summary>
    public string Program => Path.Combine(Tools, Id);

    /// <summary>Where the files of the package that runs lie after the installation.</summary>
    public string Installed => InstalledIn(Tools);

    /// <summary>The tool as the SDK installs it on a machine that has no package of its own.</summary>
    public string AnyProgram => Path.Combine(AnyTools, Id);

    /// <summary>Where that one's files lie.</summary>
    public string AnyInstalled => InstalledIn(AnyTools);

    string AnyTools => Path.Combine(this.folder.FullName, "any");

    /// <summary>The package of one kind of machine; of none, the one that names the others.</summary>
    public string PackageFor(string? runtime) => Packages.Single(file =>
        Path.GetFileName(file).StartsWith(runtime is null ? $"{Id}.0" : $"{Id}.{runtime}.", StringComparison.Ordinal));

    /// <summary>What came of the README's command for a clone.</summary>
    internal (int Exit, string Output) FirstCommand { get; private set; }

    public async ValueTask InitializeAsync()
    {
        // Before the packing: that restores the tool in another way, and this command would then write anew what other tests run.
        FirstCommand = await SdkRun.OfAsync(
            new("/bin/sh", ["-c", ReadmeCommands.AfterAClone[0]]) { WorkingDirectory = SourceBuild.Root }, Limit, CancellationToken.None);
        var clock = Stopwatch.StartNew();
        await Shell($"{ReadmeCommands.Pack} -o {this.folder.FullName}");
        await Shell($"dotnet tool install {Id} --tool-path {Tools} --add-source {this.folder.FullName}");
        await Shell($"dotnet tool install {Id}.any --tool-path {AnyTools} --add-source {this.folder.FullName}");
        TestContext.Current.SendDiagnosticMessage($"packed and installed in {Format.Duration(clock.Elapsed.TotalMilliseconds)}");
    }

    public ValueTask DisposeAsync()
    {
        this.folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    static string InstalledIn(string tools) =>
        Path.GetDirectoryName(Directory.GetFiles(tools, $"{Id}.dll", SearchOption.AllDirectories).Single())!;

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
