namespace Tpwatch.Sessions;

/// <summary>Which side opens a diagnostic port.</summary>
enum PortMode
{
    /// <summary>The runtime listens, tpwatch connects.</summary>
    Connect,

    /// <summary>tpwatch listens, the runtime connects (its <c>DOTNET_DiagnosticPorts=PATH[,suspend]</c>).</summary>
    Listen,
}

/// <summary>The path of a diagnostic port, and which side opens it.</summary>
/// <param name="Path">Path of a Unix socket.</param>
/// <param name="Mode">Which side opens the port.</param>
sealed record PortAddress(string Path, PortMode Mode)
{
    // The kernel's limit for a socket path: 108 bytes with the closing zero, 104 on macOS.
    const int MostPathBytes = 103;

    /// <summary>Whether to resume a runtime that waits at its start.</summary>
    public bool ResumeRuntime { get; init; } = true;

    /// <summary>Whether tpwatch listens on this path again as soon as the process has ended.</summary>
    public bool Follows { get; init; }

    /// <summary>
    /// Cookies of runtimes that were already observed. A runtime that is ending still connects for a while, and refuses every session.
    /// </summary>
    public ImmutableHashSet<Guid> Before { get; init; } = [];

    /// <summary>
    /// Reads <c>PATH</c>, <c>PATH,connect</c> or <c>PATH,listen</c>. With a path alone tpwatch listens, as dotnet-counters and dotnet-trace
    /// do, unless the path exists; then tpwatch connects. <see cref="UserErrorException"/> (exit code 3) when the text is none of these.
    /// </summary>
    public static PortAddress Parse(string text)
    {
        var comma = text.LastIndexOf(',');
        (var path, var mode) = comma < 0 ? (text, null) : text[(comma + 1)..].ToLowerInvariant() switch
        {
            "connect" => (text[..comma], (PortMode?)PortMode.Connect),
            "listen" => (text[..comma], PortMode.Listen),
            var other => throw Refused($"'{other}' is not a mode of a diagnostic port", "write PATH,connect or PATH,listen"),
        };
        return path switch
        {
            "" => throw Refused("the diagnostic port has an empty path", "write --dport PATH[,connect|listen]"),
            _ when System.Text.Encoding.UTF8.GetByteCount(path) > MostPathBytes => throw Refused(
                $"the path of the diagnostic port is longer than {MostPathBytes} bytes",
                "the operating system does not allow a longer path for a socket; choose a shorter path"),
            _ => new PortAddress(System.IO.Path.GetFullPath(path), mode ?? (File.Exists(path) ? PortMode.Connect : PortMode.Listen)),
        };
    }

    static UserErrorException Refused(string sentence, string hint) => new(sentence, hint, ExitCode.Arguments);
}
