using System.Diagnostics;
using Tpwatch.LiveTests.CommandLine;

namespace Tpwatch.LiveTests.Targets;

/// <summary>The command that starts the fixtures that need ASP.NET Core, which the machine's own runtime brings.</summary>
static class WebFixtureBuild
{
    public static ProcessStartInfo Command() =>
        new("dotnet", ["exec", ToolRun.BuiltProgram("Tpwatch.Fixtures.Web", "Tpwatch.Fixtures.Web.dll")]);
}
