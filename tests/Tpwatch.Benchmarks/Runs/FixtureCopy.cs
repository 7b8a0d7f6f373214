using System.Diagnostics;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.Benchmarks.Runs;

/// <summary>
/// The fixtures as they are started: on this machine's runtime as a copy in a folder that says nothing about the machine, since a recording
/// and a truth hold paths, on others as they were published. Made once, for as long as runs are made.
/// </summary>
sealed class FixtureCopy : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("fixtures-").FullName;

    public FixtureCopy()
    {
        foreach (var file in Directory.GetFiles(AppContext.BaseDirectory, "Tpwatch.Fixtures*"))
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
    }

    /// <summary>The command without a scenario.</summary>
    public ProcessStartInfo Command(RunPlan plan) =>
        plan.Runtime == TargetRuntime.Net10 ? OnThisRuntime(plan.Row.IsWeb) : FixtureBuild.Command(plan.Runtime);

    public ProcessStartInfo OnThisRuntime(bool web) =>
        new("dotnet", ["exec", Path.Combine(folder, web ? "Tpwatch.Fixtures.Web.dll" : "Tpwatch.Fixtures.dll")]);

    public void Dispose() => Directory.Delete(folder, recursive: true);
}
