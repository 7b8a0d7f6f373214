using System.Diagnostics;
using Tpwatch.Lab;

namespace Tpwatch.LiveTests.Targets;

/// <summary>The command that starts the services, as their own project built them: their packages lie beside them.</summary>
static class ServiceBuild
{
    public static ProcessStartInfo Command(TargetRuntime runtime) => runtime == TargetRuntime.Net10
        ? new("dotnet", ["exec", BuiltPrograms.Services])
        : new(FixtureBuild.Published(runtime, "services-run", "Tpwatch.Fixtures.Services"));
}

/// <summary>The command that starts the programs whose memory is read, on a runtime.</summary>
static class InsideBuild
{
    public static ProcessStartInfo Command(TargetRuntime runtime) => runtime == TargetRuntime.Net10
        ? new("dotnet", ["exec", BuiltPrograms.Inside])
        : new(FixtureBuild.Published(runtime, "inside-run", "Tpwatch.Fixtures.Inside"));
}

/// <summary>The command that starts the fixtures that need ASP.NET Core, which the machine's own runtime brings.</summary>
static class WebFixtureBuild
{
    public static ProcessStartInfo Command() =>
        new("dotnet", ["exec", BuiltPrograms.Web]);
}
