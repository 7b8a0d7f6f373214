using Tpwatch.LiveTests.Packaging;

namespace Tpwatch.Lab;

/// <summary>Where this repository's programs lie, in the configuration of the benchmarks, and its pages and recordings.</summary>
static class BuiltPrograms
{
    public static string Root => SourceBuild.Root;

    /// <summary>The recordings of stored runs.</summary>
    public static string Recordings { get; } = InTests("Recordings");

    /// <summary>The tool as its own project built it, nothing of it compiled ahead.</summary>
    public static string WholeTool { get; } = Built("Tpwatch.Tool", "dotnet-tpwatch.dll");

    /// <summary>The tool as it is delivered, where it was packed since it was built; otherwise as it was built.</summary>
    public static string Tool { get; } = File.GetLastWriteTimeUtc(Packed) > File.GetLastWriteTimeUtc(WholeTool) ? Packed : WholeTool;

    public static string Fixtures { get; } = Built("Tpwatch.Fixtures", "Tpwatch.Fixtures.dll");

    /// <summary>Those that need ASP.NET Core.</summary>
    public static string Web { get; } = Built("Tpwatch.Fixtures.Web", "Tpwatch.Fixtures.Web.dll");

    /// <summary>The services, beside which their packages lie.</summary>
    public static string Services { get; } = Built("Tpwatch.Fixtures.Services", "Tpwatch.Fixtures.Services.dll");

    /// <summary>Programs whose memory is read.</summary>
    public static string Inside { get; } = Built("Tpwatch.Fixtures.Inside", "Tpwatch.Fixtures.Inside.dll");

    /// <summary>Programs on frameworks; built by the command that runs them.</summary>
    public static string Frameworks { get; } = Path.Combine(
        Root, "artifacts", "bin", "Tpwatch.Fixtures.Frameworks", "release", "Tpwatch.Fixtures.Frameworks.dll");

    /// <summary>The program that runs .NET assemblies.</summary>
    public static string Host => Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";

    static string Packed => Path.Combine(Root, "artifacts", "publish", "Tpwatch.Tool", "release_linux-x64", "dotnet-tpwatch.dll");

    /// <summary>A page of the tests, or another file there.</summary>
    public static string InTests(string name) => Path.Combine(Root, "tests", name);

    /// <summary>A recording by its name.</summary>
    public static string Recording(string name) => Path.Combine(Recordings, name + ".nettrace");

    static string Built(string project, string assembly) => Path.Combine(
        Root, "artifacts", "bin", project, Path.GetFileName(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar)), assembly);
}
