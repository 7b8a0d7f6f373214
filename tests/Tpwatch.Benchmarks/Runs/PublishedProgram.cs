using Tpwatch.LiveTests.Packaging;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.Benchmarks.Runs;

/// <summary>A program published with a runtime of its own, optimised.</summary>
static class PublishedProgram
{
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(4);

    /// <summary>
    /// Its path. Publishes into folders of its own, so that the build under test is left alone; takes a second when nothing changed.
    /// </summary>
    public static async Task<string> OfAsync(string project, TargetRuntime runtime)
    {
        var framework = FixtureBuild.Moniker(runtime);
        var folder = Path.Combine(SourceBuild.Root, "artifacts", "targets", framework);
        var run = Path.Combine(folder, Path.GetFileName(project) + "-run");
        var (exit, output) = await SdkRun.OfAsync(new("dotnet",
        [
            "publish", Path.Combine(SourceBuild.Root, project), "-c", "Release", "-r", "linux-x64", "--self-contained", "-v", "quiet",
            $"-p:FixtureRuntime={framework}", "--artifacts-path", folder, "-o", run,
        ]), Limit, CancellationToken.None);
        return exit != 0
            ? throw new InvalidOperationException($"publishing {project} for {framework} failed:\n{output}")
            : Path.Combine(
                run, Directory.GetFiles(run, "*.runtimeconfig.json")
                    .Select(f => Path.GetFileName(f).Replace(".runtimeconfig.json", "", StringComparison.Ordinal)).Single());
    }
}
