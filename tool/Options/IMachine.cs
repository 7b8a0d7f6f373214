using Tpwatch.Recordings;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>Tracks the .NET processes of this machine, and attaches to them; for commands that watch many processes.</summary>
interface IMachine : IDisposable
{
    /// <summary>
    /// Returns the processes that reached the minimum age since the last call, except tpwatch itself. A process that tpwatch cannot watch
    /// is returned once, with the reason.
    /// </summary>
    IReadOnlyList<ProcessRow> Arrivals();

    /// <summary>Makes <see cref="Arrivals"/> return a process again after the given time, if the process still runs then.</summary>
    void Later(ProcessRow process, TimeSpan after);

    /// <summary>Whether the process has exited, or the operating system has given its id to another process.</summary>
    bool HasGone(ProcessRow process);

    /// <summary>Attaches to a process at a cost low enough for watching a hundred processes at once.</summary>
    /// <exception cref="UserErrorException">No session could be started, or the process id now belongs to another process.</exception>
    Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel);

    /// <summary>
    /// Opens a separate session for the events that <c>record</c> saves at basic depth. The caller must read the stream to its end.
    /// </summary>
    /// <exception cref="UserErrorException">The same failures as in <see cref="AttachAsync"/>.</exception>
    Task<ISideStream> StreamAsync(ProcessRow process, CancellationToken cancel);
}
