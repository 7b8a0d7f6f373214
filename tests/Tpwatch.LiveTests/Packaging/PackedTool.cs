using System.Diagnostics;
using System.Reflection;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>The tool as a user gets it: packed from the source, installed from a folder, in folders that vanish with the tests.</summary>
public sealed class PackedTool : IAsyncLifetime
{
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(3);

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-packed-");

    public string Package => Directory.GetFiles(this.folder.FullName, "*.nupkg").Single();

    public string Tools => Path.Combine(this.folder.FullName, "tools");

    /// <summary>Where the package's own files lie after the installation.</summary>
    public string Installed => Path.GetDirectoryName(Directory.GetFiles(Tools, "dotnet-tpwatch.dll", SearchOption.AllDirectories).Single())!;

    public async ValueTask InitializeAsync()
    {
        var root = typeof(PackedTool).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!;
        await Dotnet($"pack {Path.Combine(root, "tool")} -c Release -o {this.folder.FullName}");
        await Dotnet($"tool install dotnet-tpwatch --tool-path {Tools} --add-source {this.folder.FullName}");
    }

    public ValueTask DisposeAsync()
    {
        this.folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    async Task Dotnet(string arguments)
    {
        var (exit, output) = await RunAsync("dotnet", arguments, CancellationToken.None);
        Assert.True(exit == 0, $"dotnet {arguments}\n{output}");
    }

    /// <summary>Runs a program with the installed tool on PATH; standard output and error together.</summary>
    public Task<(int Exit, string Output)> RunAsync(string program, string arguments, CancellationToken cancel)
    {
        var start = new ProcessStartInfo(program, arguments.Split(' ')) { WorkingDirectory = this.folder.FullName };
        start.Environment["PATH"] = Tools + Path.PathSeparator + Environment.GetEnvironmentVariable("PATH");
        return SdkRun.OfAsync(start, Limit, cancel);
    }
}
