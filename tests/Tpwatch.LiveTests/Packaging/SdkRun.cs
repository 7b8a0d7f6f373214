using System.Diagnostics;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>
/// A command that may build: it finds the SDK's parts by itself, leaves no process behind, and is given up after a limit.
/// </summary>
static class SdkRun
{
    /// <summary>Exit code, and what was said on both streams.</summary>
    public static async Task<(int Exit, string Output)> OfAsync(ProcessStartInfo start, TimeSpan atMost, CancellationToken cancel)
    {
        (start.RedirectStandardOutput, start.RedirectStandardError) = (true, true);
        // The build that runs the tests tells its children where its own parts lie; this one finds them by itself.
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToArray())
        {
            start.Environment.Remove(name);
        }

        // A build server that outlives its build would be a process nobody ends.
        (start.Environment["MSBUILDDISABLENODEREUSE"], start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"]) = ("1", "0");
        using var process = Process.Start(start)!;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(atMost);
        try
        {
            var output = await Task.WhenAll(
                process.StandardOutput.ReadToEndAsync(limit.Token), process.StandardError.ReadToEndAsync(limit.Token));
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
