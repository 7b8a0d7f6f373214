using Tpwatch.Recordings;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>All .NET processes of this machine as they start and exit, for watching many of them.</summary>
interface IMachine : IDisposable
{
    /// <summary>
    /// Processes that reached the least age since the last call, without tpwatch itself. Processes that cannot be watched appear once, with
    /// the reason.
    /// </summary>
    IReadOnlyList<ProcessRow> Arrivals();

    /// <summary>Postpones a process: it is listed as an arrival again after that time if it still runs.</summary>
    void Later(ProcessRow process, TimeSpan after);

    /// <summary>Whether the process has exited, or its id now belongs to another process.</summary>
    bool HasGone(ProcessRow process);

    /// <summary>Attaches to a process at a cost low enough for a hundred of them.</summary>
    /// <exception cref="UserErrorException">No session could be started, or the process id now belongs to another process.</exception>
    Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel);

    /// <summary>
    /// Opens a separate session with a process for the events that <c>record</c> saves at basic depth; the caller must read it to its end.
    /// </summary>
    /// <exception cref="UserErrorException">As for <see cref="AttachAsync"/>.</exception>
    Task<ISideStream> StreamAsync(ProcessRow process, CancellationToken cancel);
}
