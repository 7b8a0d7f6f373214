using System.Collections.Immutable;
using System.Diagnostics;
using Tpwatch.LiveTests.Packaging;

namespace Tpwatch.LiveTests.Targets;

/// <summary>The command that starts the fixtures on a runtime; those without a runtime on the machine are published with their own.</summary>
static class FixtureBuild
{
    static readonly TimeSpan PublishLimit = TimeSpan.FromMinutes(4);

    /// <summary>Once for a runtime however many ask at the same time: two that publish into one folder get in each other's way.</summary>
    static readonly ImmutableDictionary<TargetRuntime, Lazy<Task<string>>> Published = new Dictionary<TargetRuntime, string>
    {
        [TargetRuntime.Net8] = "net8.0", [TargetRuntime.Net9] = "net9.0", [TargetRuntime.Net10] = "net10.0",
    }.ToImmutableDictionary(framework => framework.Key, framework => new Lazy<Task<string>>(() => PublishedAsync(framework.Value)));

    static readonly SemaphoreSlim OneAtATime = new(1);

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
        new(await Published[runtime].Value.WaitAsync(cancel));

    /// <summary>Publishes into folders of its own, so that the build under test is left alone; takes a second when nothing changed.</summary>
    static async Task<string> PublishedAsync(string framework)
    {
        await OneAtATime.WaitAsync(PublishLimit);
        try
        {
            var folder = Path.GetFullPath(Path.Combine(SourceBuild.Root, "artifacts", "targets", framework));
            var (exit, output) = await SdkRun.OfAsync(new("dotnet",
            [
                "publish", Path.Combine(SourceBuild.Root, "fixtures"), "-c", "Release", "-r", "linux-x64", "--self-contained", "-v", "quiet",
                $"-p:FixtureFramework={framework}", "--artifacts-path", folder, "-o", Path.Combine(folder, "run"),
            ]), PublishLimit, CancellationToken.None);
            return exit != 0
                ? throw new InvalidOperationException($"publishing the fixtures for {framework} failed:\n{output}")
                : Path.Combine(folder, "run", "Tpwatch.Fixtures");
        }
        finally
        {
            OneAtATime.Release();
        }
    }
}
