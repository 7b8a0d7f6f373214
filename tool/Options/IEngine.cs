using Tpwatch.Sessions;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>The functions of the engine that commands use.</summary>
interface IEngine
{
    /// <summary>The .NET processes without tpwatch itself; processes that tpwatch cannot attach to carry the reason.</summary>
    Task<IReadOnlyList<ProcessRow>> FindAsync(CancellationToken cancel);

    /// <summary>Watches which .NET processes start and exit; finds local processes only on Linux.</summary>
    /// <param name="olderThan">Least age of a process.</param>
    /// <param name="port">A diagnostic port that processes may connect to; null for none.</param>
    /// <param name="scans">Whether the processes of this machine are scanned.</param>
    IMachine Machine(TimeSpan olderThan, SharedPort? port, bool scans);

    /// <summary>The one process of that name.</summary>
    /// <exception cref="UserErrorException">There is none, there are several, or tpwatch cannot attach to it.</exception>
    Task<ProcessRow> ByNameAsync(string name, CancellationToken cancel);

    /// <summary>The ids of all processes of that name, including processes that tpwatch cannot attach to.</summary>
    /// <exception cref="UserErrorException">There is none.</exception>
    Task<IReadOnlyList<int>> AllByNameAsync(string name, CancellationToken cancel);

    /// <summary>The process of that id.</summary>
    /// <exception cref="UserErrorException">There is none, or tpwatch cannot attach to it.</exception>
    Task<ProcessRow> ByPidAsync(int pid, CancellationToken cancel);

    /// <summary>Attaches to a running process.</summary>
    /// <exception cref="UserErrorException">No session could be started, or the process id now belongs to another process.</exception>
    Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel);

    /// <summary>The process at a diagnostic port: connects to it, or waits until a process connects.</summary>
    /// <exception cref="UserErrorException">No process answers, none connected in time, or the port cannot be opened.</exception>
    Task<ITarget> BehindPortAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel);

    /// <summary>A program that is started by the first call of <see cref="ITarget.AttachAsync"/>.</summary>
    ITarget Launch(CommandRequest command);

    /// <summary>Opens a recording and reads it.</summary>
    /// <exception cref="UserErrorException">The file cannot be read at all.</exception>
    IWatch Replay(string file, WatchOptions options);
}
