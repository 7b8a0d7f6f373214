using Tpwatch.Render;

namespace Tpwatch.Commands;

/// <summary>What verbs ask of the engine.</summary>
internal interface IEngine
{
    /// <summary>The processes that one can attach to, ourselves left out.</summary>
    Task<IReadOnlyList<ProcessRow>> FindAsync(CancellationToken cancel);

    /// <summary>What is known of one process before attaching; null when it does not say.</summary>
    Task<ProcessRow?> DescribeAsync(int pid, CancellationToken cancel);

    /// <summary>Attaches to a running process.</summary>
    /// <exception cref="ForeseenException">No session could be started.</exception>
    Task<IWatch> AttachAsync(int pid, WatchOptions options, CancellationToken cancel);

    /// <summary>Reads a recording.</summary>
    /// <exception cref="ForeseenException">The file cannot be read at all.</exception>
    IWatch Replay(string file, WatchOptions options);
}
