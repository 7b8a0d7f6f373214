namespace Tpwatch.Targets;

/// <summary>Whether a process has loaded the web server of ASP.NET Core, judged by its memory-mapped files.</summary>
static class LoadedServer
{
    const string Server = "Microsoft.AspNetCore.Server.Kestrel";

    /// <summary>An assembly that every .NET process maps, except for a single-file program, whose memory map shows no assemblies.</summary>
    const string Any = "System.Private.CoreLib.dll";

    /// <summary>Whether the server is loaded, or the memory map cannot show it.</summary>
    public static bool MayBeIn(ProcTree tree, int pid) => tree.Read(pid, "maps").Text is not { } maps
        || maps.Contains(Server, StringComparison.Ordinal) || !maps.Contains(Any, StringComparison.Ordinal);
}
