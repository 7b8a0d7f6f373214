using Tpwatch.Sessions;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>What verbs ask of the engine.</summary>
interface IEngine
{
    /// <summary>The .NET processes, ourselves left out; those that one cannot attach to say why.</summary>
    Task<IReadOnlyList<ProcessRow>> FindAsync(CancellationToken cancel);

    /// <summary>The .NET processes as they come and go, those that are so old; elsewhere than on Linux none are found.</summary>
    /// <param name="olderThan">The age from which a process counts.</param>
    /// <param name="port">Where processes may come to; null for nowhere.</param>
    /// <param name="scans">Whether those of this machine are looked for.</param>
    IMachine Machine(TimeSpan olderThan, SharedPort? port, bool scans);

    /// <summary>The one process of that name.</summary>
    /// <exception cref="ForeseenException">None, several, or one that cannot be attached to.</exception>
    Task<ProcessRow> ByNameAsync(string name, CancellationToken cancel);

    /// <summary>The ids of all processes of that name, those too that one cannot attach to.</summary>
    /// <exception cref="ForeseenException">There is none.</exception>
    Task<IReadOnlyList<int>> AllByNameAsync(string name, CancellationToken cancel);

    /// <summary>The process of that id.</summary>
    /// <exception cref="ForeseenException">None, or one that cannot be attached to.</exception>
    Task<ProcessRow> ByPidAsync(int pid, CancellationToken cancel);

    /// <summary>Attaches to a running process.</summary>
    /// <exception cref="ForeseenException">No session could be started, or its number belongs to another process by now.</exception>
    Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel);

    /// <summary>The process behind a diagnostic port: connects, or waits for one to come.</summary>
    /// <exception cref="ForeseenException">Nobody is there, nobody came, or the port cannot be opened.</exception>
    Task<ITarget> BehindPortAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel);

    /// <summary>A program to be started as soon as it is attached to.</summary>
    ITarget Launch(CommandRequest command);

    /// <summary>Reads a recording.</summary>
    /// <exception cref="ForeseenException">The file cannot be read at all.</exception>
    IWatch Replay(string file, WatchOptions options);
}
