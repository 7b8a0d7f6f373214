using System.Runtime.InteropServices;

namespace Tpwatch.Run;

/// <summary>The program that runs .NET assemblies.</summary>
static class DotnetHost
{
    /// <summary>Levels from the runtime's own folder (shared/Microsoft.NETCore.App/8.0.0) up to the host.</summary>
    const string FromRuntime = "../../..";

    /// <summary>The host that runs us, else the one that belongs to our runtime, else whatever the PATH says.</summary>
    public static string Path()
    {
        string?[] candidates =
        [
            Environment.GetEnvironmentVariable("DOTNET_HOST_PATH"),
            IsHost(Environment.ProcessPath) ? Environment.ProcessPath : null,
            System.IO.Path.GetFullPath(System.IO.Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), FromRuntime, FileName)),
        ];
        return candidates.FirstOrDefault(File.Exists) ?? FileName;
    }

    static string FileName => OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet";

    static bool IsHost(string? path) => System.IO.Path.GetFileNameWithoutExtension(path) == "dotnet";
}
