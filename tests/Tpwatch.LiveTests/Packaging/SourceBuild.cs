using System.Diagnostics;
using System.Reflection;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>The SDK's own commands, run in the repository as somebody at a prompt would.</summary>
static class SourceBuild
{
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(4);

    public static string Root { get; } = Path.GetFullPath(
        typeof(SourceBuild).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!);

    /// <summary>That of these tests, in which everything is built already.</summary>
    public static string Configuration { get; } = char.ToUpperInvariant(Folder[0]) + Folder[1..];

    static string Folder => Path.GetFileName(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar));

    /// <summary>Exit code, and what was said on both streams.</summary>
    public static Task<(int Exit, string Output)> DotnetAsync(string arguments, CancellationToken cancel) =>
        SdkRun.OfAsync(new ProcessStartInfo("dotnet", arguments.Split(' ')) { WorkingDirectory = Root }, Limit, cancel);
}
