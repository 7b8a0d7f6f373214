using Tpwatch.LiveTests.Packaging;

namespace Tpwatch.Benchmarks;

/// <summary>Where this repository's programs lie, in the configuration of the benchmarks.</summary>
static class BuiltPrograms
{
    public static string Root => SourceBuild.Root;

    /// <summary>The tool as its own project built it.</summary>
    public static string Tool { get; } = Path.Combine(
        Root, "artifacts", "bin", "Tpwatch.Tool",
        Path.GetFileName(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar)), "dotnet-tpwatch.dll");

    /// <summary>The program that runs .NET assemblies.</summary>
    public static string Host => Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
}
