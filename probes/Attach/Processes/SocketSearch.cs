using System.Collections.Immutable;
using System.Globalization;

namespace Tpwatch.Attach.Processes;

/// <summary>The outcome of looking for a process's diagnostic socket.</summary>
/// <param name="Path">Where it is, or null.</param>
/// <param name="Tried">Every path looked at, in order.</param>
/// <param name="Stale">Sockets with the right pid and another start time: left behind by an earlier process.</param>
sealed record SocketSearch(string? Path, ImmutableArray<string> Tried, ImmutableArray<string> Stale)
{
    /// <summary>
    /// Looks in the watcher's temporary folder, in the target's own, and there through the target's root, which leads into other mount
    /// namespaces (containers, systemd's PrivateTmp). The key in the name must be the target's start time, so that neither a socket left
    /// behind nor a pid used again can deceive.
    /// </summary>
    public static SocketSearch Find(Machine machine, int pid, ProcStat stat, ProcEnvironment? environment)
    {
        var innermost = machine.Tree.Status(pid).InnermostPid ?? pid;
        var name = string.Create(CultureInfo.InvariantCulture, $"dotnet-diagnostic-{innermost}-{stat.StartTime}-socket");
        var folders = Folders(machine, pid, environment);
        ImmutableArray<string> tried = [.. folders.Select(folder => System.IO.Path.Combine(folder, name))];
        if (tried.FirstOrDefault(File.Exists) is { } exact)
        {
            return new SocketSearch(exact, tried, []);
        }

        ImmutableArray<string> others = [.. folders.SelectMany(folder => OfPid(folder, innermost)).Distinct()];

        // In another time namespace the target counts its start from another origin, so its key cannot be compared.
        return others.Length > 0 && machine.Tree.IsInAnotherNamespace(pid, "time")
            ? new SocketSearch(others.MaxBy(File.GetLastWriteTimeUtc), tried, [])
            : new SocketSearch(null, tried, others);
    }

    static string[] Folders(Machine machine, int pid, ProcEnvironment? environment)
    {
        var theirs = Machine.TempOf(environment?["TMPDIR"]);
        return [.. ((string[])[machine.Temp, theirs, machine.Tree.PathOf(pid, "root") + theirs]).Distinct()];
    }

    static string[] OfPid(string folder, int pid)
    {
        try
        {
            return Directory.GetFiles(folder, string.Create(CultureInfo.InvariantCulture, $"dotnet-diagnostic-{pid}-*-socket"));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
