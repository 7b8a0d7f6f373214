using Tpwatch.Attach;
using Tpwatch.Explain;

namespace Tpwatch.Commands;

/// <summary>
/// A live observation that can be interrupted: before Ctrl+Z stops this process the session is ended, since a stopped reader would hold up
/// the target's diagnostics; afterwards a new session begins, and with it a new history.
/// </summary>
internal sealed class SegmentedWatch(IWatch first, Func<CancellationToken, Task<IWatch>> attachAgain) : IWatch
{
    volatile IWatch current = first;

    /// <inheritdoc/>
    public Task<SessionEnd> Completion => current.Completion;

    /// <inheritdoc/>
    public PoolReport Report() => current.Report();

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancel) => current.StopAsync(cancel);

    /// <inheritdoc/>
    public Task SuspendAsync(CancellationToken cancel) => current.StopAsync(cancel);

    /// <inheritdoc/>
    public async Task ResumeAsync(CancellationToken cancel)
    {
        if (await current.Completion.WaitAsync(cancel) != SessionEnd.StoppedByUs)
        {
            // The target ended meanwhile; what was seen stays on the screen.
            return;
        }

        var before = current;
        current = await attachAgain(cancel);
        await before.DisposeAsync();
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => current.DisposeAsync();
}
