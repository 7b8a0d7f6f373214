using System.Diagnostics;
using System.Reflection;

namespace Tpwatch.LiveTests.Targets;

/// <summary>The command that starts the fixtures on a runtime; those without a runtime on the machine are published with their own.</summary>
static class FixtureBuild
{
    static readonly TimeSpan PublishLimit = TimeSpan.FromMinutes(4);

    static string Root { get; } =
        typeof(FixtureBuild).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!;

    public static async Task<ProcessStartInfo> CommandAsync(TargetRuntime runtime, CancellationToken cancel)
    {
        if (runtime == TargetRuntime.Net10)
        {
            var command = new ProcessStartInfo("dotnet");
            command.ArgumentList.Add("exec");
            command.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "Tpwatch.Fixtures.dll"));
            return command;
        }

        return await ReleaseAsync(runtime, cancel);
    }

    /// <summary>The same as optimised code on any runtime, the machine's own as well.</summary>
    public static async Task<ProcessStartInfo> ReleaseAsync(TargetRuntime runtime, CancellationToken cancel) =>
        new(await PublishedAsync(runtime switch { TargetRuntime.Net8 => "net8.0", TargetRuntime.Net9 => "net9.0", _ => "net10.0" }, cancel));

    /// <summary>Publishes into folders of its own, so that the build under test is left alone; takes a second when nothing changed.</summary>
    static async Task<string> PublishedAsync(string framework, CancellationToken cancel)
    {
        var folder = Path.GetFullPath(Path.Combine(Root, "artifacts", "targets", framework));
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var argument in new[]
        {
            "publish", Path.Combine(Root, "fixtures"), "-c", "Release", "-r", "linux-x64", "--self-contained", "-v", "quiet",
            $"-p:FixtureFramework={framework}", "--artifacts-path", folder, "-o", Path.Combine(folder, "run"),
        })
        {
            start.ArgumentList.Add(argument);
        }

        // The build that runs the tests tells its children where its own parts lie; this one finds them by itself.
        foreach (var name in start.Environment.Keys.Where(n => n.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToArray())
        {
            start.Environment.Remove(name);
        }

        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(PublishLimit);
        using var process = Process.Start(start)!;
        var output = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(limit.Token), process.StandardError.ReadToEndAsync(limit.Token));
        await process.WaitForExitAsync(limit.Token);
        return process.ExitCode != 0
            ? throw new InvalidOperationException($"publishing the fixtures for {framework} failed:\n{string.Concat(output)}")
            : Path.Combine(folder, "run", "Tpwatch.Fixtures");
    }
}
