using Tpwatch.Sessions;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>The functions of the engine that commands use.</summary>
interface IEngine
{
    /// <summary>Returns all .NET processes except tpwatch itself. A process that tpwatch cannot attach to carries the reason.</summary>
    Task<IReadOnlyList<ProcessRow>> FindAsync(CancellationToken cancel);

    /// <summary>Creates a tracker of the .NET processes that start and exit. The tracker finds local processes on Linux only.</summary>
    /// <param name="olderThan">Minimum age of a process.</param>
    /// <param name="port">A diagnostic port that processes may connect to; null for none.</param>
    /// <param name="scans">Whether the tracker scans the processes of this machine.</param>
    IMachine Machine(TimeSpan olderThan, SharedPort? port, bool scans);

    /// <summary>Returns the only process with this name.</summary>
    /// <exception cref="UserErrorException">No process or more than one has the name, or tpwatch cannot attach to the process.</exception>
    Task<ProcessRow> ByNameAsync(string name, CancellationToken cancel);

    /// <summary>Returns the ids of all processes with this name, including processes that tpwatch cannot attach to.</summary>
    /// <exception cref="UserErrorException">No process has the name.</exception>
    Task<IReadOnlyList<int>> AllByNameAsync(string name, CancellationToken cancel);

    /// <summary>Returns the process with this id.</summary>
    /// <exception cref="UserErrorException">No process has the id, or tpwatch cannot attach to the process.</exception>
    Task<ProcessRow> ByPidAsync(int pid, CancellationToken cancel);

    /// <summary>Attaches to a running process.</summary>
    /// <exception cref="UserErrorException">No session could be started, or the process id now belongs to another process.</exception>
    Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel);

    /// <summary>Returns the process behind a diagnostic port: connects to the port, or waits until a process connects.</summary>
    /// <exception cref="UserErrorException">No process answers, no process connects in time, or the port cannot be opened.</exception>
    Task<ITarget> BehindPortAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel);

    /// <summary>Returns a target whose program is launched by the first call of <see cref="ITarget.AttachAsync"/>.</summary>
    ITarget Launch(CommandRequest command);

    /// <summary>Opens a recording and starts to read it.</summary>
    /// <exception cref="UserErrorException">The file cannot be read at all.</exception>
    IWatch Replay(string file, WatchOptions options);
}
