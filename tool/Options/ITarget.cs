using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>The chosen process, and the way to observe it. Disposing it ends a launched command, but no other process.</summary>
interface ITarget : IAsyncDisposable
{
    /// <summary>The facts known before it is observed; a command not started yet has no pid.</summary>
    ProcessRow Row { get; }

    /// <summary>Begins to observe it. The first call starts a command; later calls observe the started process again.</summary>
    /// <exception cref="UserErrorException">No session could be started.</exception>
    Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel);

    /// <summary>
    /// After the process has ended: waits for the next process at its diagnostic port, which then is the target; false if there is no port.
    /// </summary>
    /// <exception cref="UserErrorException">No process connected in time.</exception>
    Task<bool> NextAsync(CancellationToken cancel) => Task.FromResult(false);

    /// <summary>
    /// The exit code of a launched command that ends by itself, after a short wait for it; null if it still runs, or if it is no command.
    /// </summary>
    Task<int?> ExitCodeAsync(CancellationToken cancel) => Task.FromResult<int?>(null);
}
