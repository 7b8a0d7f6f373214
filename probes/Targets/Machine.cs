namespace Tpwatch.Targets;

/// <summary>Where this machine keeps what the search reads; a test puts folders of its own in their place.</summary>
sealed record Machine
{
    public static Machine Local { get; } = new();
    public string Proc { get; init; } = "/proc";

    public string Passwd { get; init; } = "/etc/passwd";

    /// <summary>Where a runtime with the watcher's own environment puts its socket.</summary>
    public string Temp { get; init; } = TempOf(Environment.GetEnvironmentVariable("TMPDIR"));

    public bool IsLinux { get; init; } = OperatingSystem.IsLinux();

    /// <summary>Whose socket is at a path; null where there is no socket.</summary>
    public Func<string, int?> SocketOwner { get; init; } = UnixFile.SocketOwner;

    public ProcTree Tree => new(Proc);

    /// <summary>The rule of the runtime: TMPDIR, else /tmp.</summary>
    public static string TempOf(string? tmpdir) => string.IsNullOrEmpty(tmpdir) ? "/tmp" : tmpdir.Length > 1 ? tmpdir.TrimEnd('/') : tmpdir;
}
