namespace Tpwatch.Targets;

/// <summary>Whether a process has loaded the web server of ASP.NET Core, by the files that it has mapped.</summary>
static class LoadedServer
{
    const string Server = "Microsoft.AspNetCore.Server.Kestrel";

    /// <summary>A single file maps no assembly of its own, and shows none.</summary>
    const string Any = "System.Private.CoreLib.dll";

    /// <summary>Yes, or nobody can tell.</summary>
    public static bool MayBeIn(ProcTree tree, int pid) => tree.Read(pid, "maps").Text is not { } maps
        || maps.Contains(Server, StringComparison.Ordinal) || !maps.Contains(Any, StringComparison.Ordinal);
}
