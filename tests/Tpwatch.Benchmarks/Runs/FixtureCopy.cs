using System.Diagnostics;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.Benchmarks.Runs;

/// <summary>
/// The fixtures as they are started: on this machine's runtime as a copy in a folder that says nothing about the machine, since a recording
/// and a truth hold paths, on others as they were published. Made once, for as long as runs are made.
/// </summary>
internal sealed class FixtureCopy : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("fixtures-").FullName;
    readonly Dictionary<TargetRuntime, string> published = [];

    public FixtureCopy()
    {
        foreach (var file in Directory.GetFiles(AppContext.BaseDirectory, "Tpwatch.Fixtures*"))
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
    }

    /// <summary>Publishes for the runtimes that the plans need, before anything is measured.</summary>
    public async Task PrepareAsync(IEnumerable<RunPlan> plans, CancellationToken cancel)
    {
        foreach (var runtime in plans.Select(plan => plan.Runtime).Distinct().Where(runtime => runtime != TargetRuntime.Net10))
            published[runtime] = (await FixtureBuild.CommandAsync(runtime, cancel)).FileName;
    }

    /// <summary>The command without a scenario.</summary>
    public ProcessStartInfo Command(RunPlan plan) =>
        published.TryGetValue(plan.Runtime, out var program) ? new(program) : OnThisRuntime(plan.Row.IsWeb);

    public ProcessStartInfo OnThisRuntime(bool web) =>
        new("dotnet", ["exec", Path.Combine(folder, web ? "Tpwatch.Fixtures.Web.dll" : "Tpwatch.Fixtures.dll")]);

    public void Dispose() => Directory.Delete(folder, recursive: true);
}
