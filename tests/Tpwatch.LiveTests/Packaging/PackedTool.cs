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
    public async Task<(int Exit, string Output)> RunAsync(string program, string arguments, CancellationToken cancel)
    {
        var start = new ProcessStartInfo(program, arguments.Split(' '))
        {
            RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = this.folder.FullName,
        };
        start.Environment["PATH"] = Tools + Path.PathSeparator + Environment.GetEnvironmentVariable("PATH");
        // The build that runs the tests tells its children where its own parts lie; this one finds them by itself.
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToArray())
            start.Environment.Remove(name);
        // A build server that outlives its build would be a process nobody ends.
        (start.Environment["MSBUILDDISABLENODEREUSE"], start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"]) = ("1", "0");
        using var process = Process.Start(start)!;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(Limit);
        try
        {
            var output = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(limit.Token), process.StandardError.ReadToEndAsync(limit.Token));
            await process.WaitForExitAsync(limit.Token);
            return (process.ExitCode, string.Concat(output));
        }
        finally
        {
            if (!process.HasExited)
                process.Kill(entireProcessTree: true);
        }
    }
}
