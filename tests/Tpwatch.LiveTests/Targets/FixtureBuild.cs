using System.Diagnostics;
using Tpwatch.LiveTests.Packaging;

namespace Tpwatch.LiveTests.Targets;

/// <summary>
/// The command that starts the fixtures on a runtime; for those that the machine may lack the build has published them with their own.
/// </summary>
static class FixtureBuild
{
    const string Config = ".runtimeconfig.json";

    /// <summary>The command without a scenario.</summary>
    public static ProcessStartInfo Command(TargetRuntime runtime) => runtime == TargetRuntime.Net10
        ? new("dotnet", ["exec", Path.Combine(AppContext.BaseDirectory, "Tpwatch.Fixtures.dll")])
        : new(Published(runtime));

    static string Published(TargetRuntime runtime)
    {
        var folder = Path.Combine(
            SourceBuild.Root, "artifacts", "targets", runtime == TargetRuntime.Net8 ? "net8.0" : "net9.0", "fixtures-run");
        return Path.Combine(
            folder, Path.GetFileName(Directory.GetFiles(folder, "*" + Config).Single()).Replace(Config, "", StringComparison.Ordinal));
    }
}
