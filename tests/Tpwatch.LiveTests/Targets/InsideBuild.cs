using System.Diagnostics;
using Tpwatch.LiveTests.CommandLine;

namespace Tpwatch.LiveTests.Targets;

/// <summary>The command that starts the programs whose memory is read, on a runtime.</summary>
static class InsideBuild
{
    public static ProcessStartInfo Command(TargetRuntime runtime) => runtime == TargetRuntime.Net10
        ? new("dotnet", ["exec", ToolRun.BuiltProgram("Tpwatch.Fixtures.Inside", "Tpwatch.Fixtures.Inside.dll")])
        : new(FixtureBuild.Published(runtime, "inside-run", "Tpwatch.Fixtures.Inside"));
}
