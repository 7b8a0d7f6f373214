namespace Tpwatch.Targets;

/// <summary>Locations of the system files that the process search reads; a test replaces them with its own folders.</summary>
sealed record Machine
{
    public static Machine Local { get; } = new();
    public string Proc { get; init; } = "/proc";

    public string Passwd { get; init; } = "/etc/passwd";

    /// <summary>The folder in which a runtime with tpwatch's own environment creates its socket.</summary>
    public string Temp { get; init; } = TempOf(Environment.GetEnvironmentVariable("TMPDIR"));

    public bool IsLinux { get; init; } = OperatingSystem.IsLinux();

    /// <summary>Returns the user id that owns the socket at a path; null if there is no socket.</summary>
    public Func<string, int?> SocketOwner { get; init; } = UnixFile.SocketOwner;

    public ProcTree Tree => new(Proc);

    /// <summary>The temporary folder by the runtime's rule: TMPDIR, or /tmp if that is not set.</summary>
    public static string TempOf(string? tmpdir) => string.IsNullOrEmpty(tmpdir) ? "/tmp" : tmpdir.Length > 1 ? tmpdir.TrimEnd('/') : tmpdir;
}
