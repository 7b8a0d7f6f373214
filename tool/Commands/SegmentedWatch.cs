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
    volatile Task? resuming;
    CancellationTokenSource quit = new();

    /// <inheritdoc/>
    public Task<SessionEnd> Completion => resuming is { IsCompleted: false } settling ? CompletionAfterAsync(settling) : current.Completion;

    /// <inheritdoc/>
    public string? ResumeFailure { get; private set; }

    /// <inheritdoc/>
    public TargetSilence? Silence => current.Silence;

    /// <inheritdoc/>
    public PoolReport Report() => current.Report();

    /// <inheritdoc/>
    public async Task StopAsync(CancellationToken cancel)
    {
        await SettleAsync(cancel);
        if (!current.Completion.IsCompleted)
        {
            await current.StopAsync(cancel);
        }
    }

    /// <inheritdoc/>
    public Task SuspendAsync(CancellationToken cancel) => StopAsync(cancel);

    /// <inheritdoc/>
    public Task ResumeAsync(CancellationToken cancel)
    {
        quit = new();
        return resuming = AgainAsync(cancel, quit.Token);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await SettleAsync(CancellationToken.None);
        await current.DisposeAsync();
    }

    async Task AgainAsync(CancellationToken cancel, CancellationToken quits)
    {
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(cancel, quits);
        try
        {
            if (await current.Completion.WaitAsync(ends.Token) != SessionEnd.StoppedByUs)
            {
                // The target ended meanwhile; what was seen stays.
                return;
            }

            var before = current;
            current = await attachAgain(ends.Token);
            await before.DisposeAsync();
        }
        catch (ForeseenException e)
        {
            ResumeFailure = e.Message;
        }
        catch (OperationCanceledException) when (ends.IsCancellationRequested)
        {
            // Somebody quits meanwhile: what was seen before is all there is.
        }
    }

    // A session that is just being started must not be left behind in the target.
    async Task SettleAsync(CancellationToken cancel)
    {
        if (resuming is { IsCompleted: false } settling)
        {
            await quit.CancelAsync();
            await settling.WaitAsync(cancel);
        }
    }

    async Task<SessionEnd> CompletionAfterAsync(Task settling)
    {
        await settling;
        return await current.Completion;
    }
}
