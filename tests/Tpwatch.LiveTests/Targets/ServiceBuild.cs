using System.Diagnostics;
using Tpwatch.LiveTests.CommandLine;

namespace Tpwatch.LiveTests.Targets;

/// <summary>The command that starts the services, as their own project built them: their packages lie beside them.</summary>
static class ServiceBuild
{
    public static ProcessStartInfo Command(TargetRuntime runtime) => runtime == TargetRuntime.Net10
        ? new("dotnet", ["exec", ToolRun.BuiltProgram("Tpwatch.Fixtures.Services", "Tpwatch.Fixtures.Services.dll")])
        : new(FixtureBuild.Published(runtime, "services-run", "Tpwatch.Fixtures.Services"));
}
