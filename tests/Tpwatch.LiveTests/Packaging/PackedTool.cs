using System.Diagnostics;
using Tpwatch.Core;
using Tpwatch.Lab;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>
/// The tool as a user gets it: what the step <c>pack</c> of the build has made, installed from a folder, in folders that vanish with the
/// tests. Made here, six images would be compiled beside tests that measure.
/// </summary>
public sealed class PackedTool : IAsyncLifetime
{
    /// <summary>Why tests of packages are left out.</summary>
    public const string NotMade = "packages are missing or older than the build; `dotnet run build.cs -- publish pack` makes them all";

    static readonly TimeSpan Limit = TimeSpan.FromMinutes(4);

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

    /// <summary>Whether the packages are there, made of this build.</summary>
    public static bool IsMade { get; } = Made.Length == 7 && Made.All(IsOfThisBuild);

    /// <summary>The same of the single file.</summary>
    public static bool HasSingleFile { get; } = IsOfThisBuild(SingleFile);

    /// <summary>The one file that brings its runtime along.</summary>
    public static string SingleFile => Path.Combine(SourceBuild.Root, "artifacts", "publish", "linux-x64", Id);

    static bool IsOfThisBuild(string file) => File.GetLastWriteTimeUtc(file) >= File.GetLastWriteTimeUtc(BuiltPrograms.WholeTool);

    static string[] Made => Directory.Exists(MadeIn) ? Directory.GetFiles(MadeIn, Id + ".*.nupkg") : [];

    static string MadeIn => Path.Combine(SourceBuild.Root, "artifacts", "package", "release");

    /// <summary>The package of one kind of machine; of none, the one that names the others.</summary>
    public string PackageFor(string? runtime) => Packages.Single(file =>
        Path.GetFileName(file).StartsWith(runtime is null ? $"{Id}.0" : $"{Id}.{runtime}.", StringComparison.Ordinal));

    /// <summary>What came of the README's command for a clone.</summary>
    internal (int Exit, string Output) FirstCommand { get; private set; }

    public async ValueTask InitializeAsync()
    {
        if (!IsMade)
        {
            return;
        }

        FirstCommand = await SdkRun.OfAsync(
            new("/bin/sh", ["-c", ReadmeCommands.AfterAClone[0]]) { WorkingDirectory = SourceBuild.Root }, Limit, CancellationToken.None);
        var clock = Stopwatch.StartNew();
        foreach (var package in Made)
        {
            File.Copy(package, Path.Combine(Folder, Path.GetFileName(package)));
        }

        await Shell($"dotnet tool install {Id} --tool-path {Tools} --add-source {this.folder.FullName}");
        await Shell($"dotnet tool install {Id}.any --tool-path {AnyTools} --add-source {this.folder.FullName}");
        TestContext.Current.SendDiagnosticMessage($"installed in {Format.Duration(clock.Elapsed.TotalMilliseconds)}");
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
