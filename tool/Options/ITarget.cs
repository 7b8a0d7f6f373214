using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>
/// The process that was chosen, and the way to observe it. Disposing it ends a command that was started, and nothing else.
/// </summary>
interface ITarget : IAsyncDisposable
{
    /// <summary>What is known of it before it is observed; a command not started yet has no pid.</summary>
    ProcessRow Row { get; }

    /// <summary>Begins to observe it; a command is started by the first call, later ones observe the same process again.</summary>
    /// <exception cref="ForeseenException">No session could be started.</exception>
    Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel);

    /// <summary>
    /// Once the process has ended: waits for the next one at the same place, which then is the target; false where there is no such place.
    /// </summary>
    /// <exception cref="ForeseenException">Nobody came in time.</exception>
    Task<bool> NextAsync(CancellationToken cancel) => Task.FromResult(false);

    /// <summary>
    /// The exit code of a command that ends by itself, waiting a moment for it; null for one that goes on, or was no command.
    /// </summary>
    Task<int?> ExitCodeAsync(CancellationToken cancel) => Task.FromResult<int?>(null);
}
