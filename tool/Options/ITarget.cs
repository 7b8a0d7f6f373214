using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>The process that the user chose, and how to observe it. Disposing a target ends only a process that tpwatch launched.</summary>
interface ITarget : IAsyncDisposable
{
    /// <summary>The facts about the process known before tpwatch attaches. The process id is 0 until a command is launched.</summary>
    ProcessRow Row { get; }

    /// <summary>Starts to observe the process. The first call launches a command; later calls attach to the launched process.</summary>
    /// <exception cref="UserErrorException">No session could be started.</exception>
    Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel);

    /// <summary>
    /// After the process has ended, waits for the next process at the same diagnostic port, which becomes the target; false without a port.
    /// </summary>
    /// <exception cref="UserErrorException">No process connected in time.</exception>
    Task<bool> NextAsync(CancellationToken cancel) => Task.FromResult(false);

    /// <summary>
    /// Exit code of a launched command, after a limited wait for the exit; null if the command still runs, or if none was launched.
    /// </summary>
    Task<int?> ExitCodeAsync(CancellationToken cancel) => Task.FromResult<int?>(null);
}
