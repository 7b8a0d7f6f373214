using System.Diagnostics;
using System.Reflection;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>The SDK's own commands, run in the repository as somebody at a prompt would.</summary>
internal static class SourceBuild
{
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(4);

    public static string Root { get; } = Path.GetFullPath(
        typeof(SourceBuild).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!);

    /// <summary>That of these tests, in which everything is built already.</summary>
    public static string Configuration { get; } = char.ToUpperInvariant(Folder[0]) + Folder[1..];

    static string Folder => Path.GetFileName(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar));

    /// <summary>Exit code, and what was said on both streams.</summary>
    public static async Task<(int Exit, string Output)> DotnetAsync(string arguments, CancellationToken cancel)
    {
        var start = new ProcessStartInfo("dotnet", arguments.Split(' ')) { RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = Root };
        // The build that runs the tests tells its children where its own parts lie; this one finds them by itself.
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToArray())
        {
            start.Environment.Remove(name);
        }

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
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }
}
