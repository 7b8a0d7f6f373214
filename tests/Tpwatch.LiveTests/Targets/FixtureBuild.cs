using System.Diagnostics;
using Tpwatch.LiveTests.Packaging;

namespace Tpwatch.LiveTests.Targets;

/// <summary>
/// The command that starts the fixtures on a runtime; for those that the machine may lack the build has published them with their own.
/// </summary>
static class FixtureBuild
{
    /// <summary>The command without a scenario.</summary>
    public static ProcessStartInfo Command(TargetRuntime runtime) => runtime == TargetRuntime.Net10
        ? new("dotnet", ["exec", Path.Combine(AppContext.BaseDirectory, "Tpwatch.Fixtures.dll")])
        : new(Published(runtime, "fixtures-run", "Tpwatch.Fixtures"));

    /// <summary>A program that was published with a runtime of its own.</summary>
    public static string Published(TargetRuntime runtime, string folder, string program) => Path.Combine(
        SourceBuild.Root, "artifacts", "targets", Moniker(runtime), folder, program);

    /// <summary>What the fixtures' project calls it (FixtureRuntime).</summary>
    public static string Moniker(TargetRuntime runtime) => runtime switch
    {
        TargetRuntime.Net8 => "net8.0",
        TargetRuntime.Net9 => "net9.0",
        TargetRuntime.Net11 => "net11.0",
        _ => "net10.0",
    };
}
