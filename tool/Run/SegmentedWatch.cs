using Tpwatch.Options;
using Tpwatch.Recordings;
using Tpwatch.Screen.State;
using Tpwatch.Watch;

namespace Tpwatch.Run;

/// <summary>
/// A live observation that can be interrupted. tpwatch ends the session before Ctrl+Z stops tpwatch, since a stopped tpwatch would block
/// the target's diagnostics. Afterwards, a new session starts with an empty history.
/// </summary>
/// <param name="first">The first session.</param>
/// <param name="attachAgain">Starts a new session with the same process.</param>
/// <param name="attachNext">Waits for the next process and starts a session with it; null if no next process can be found.</param>
sealed class SegmentedWatch(
    IWatch first, Func<CancellationToken, Task<IWatch>> attachAgain, Func<CancellationToken, Task<IWatch>>? attachNext = null) : IWatch
{
    volatile IWatch current = first;
    volatile Notice? awaits;
    volatile Task? resuming;
    CancellationTokenSource quit = new();

    public Task<SessionEnd> Completion => resuming is { IsCompleted: false } settling ? CompletionAfterAsync(settling) : current.Completion;
    public string? ResumeFailure { get; private set; }
    public TargetSilence? Silence => current.Silence;
    public TimeSpan? Behind => current.Behind;
    public Notice? Awaits => awaits;
    public IProbeSwitch? Probes => current.Probes;
    public Task StacksUnderWay => current.StacksUnderWay;
    public bool CanWatchAgain => attachNext is not null;

    /// <summary>Whether to wait for the next process without a request from the user.</summary>
    public bool Follows { get; init; }

    public PoolReport Report()
    {
        var report = current.Report();
        if (Follows && awaits is null && report.End is (SessionEnd.TargetExited or SessionEnd.TargetKilled or SessionEnd.StreamBroken))
        {
            Again();
        }

        return report;
    }

    public Task News => current.News;

    public void Forget() => current.Forget();

    public SavedFlight SaveRetained(string path) => current.SaveRetained(path);

    public string Again()
    {
        if (attachNext is null || resuming is { IsCompleted: false })
        {
            return attachNext is null ? "tpwatch cannot wait for this process." : "tpwatch is already waiting for the process.";
        }

        quit = new();
        awaits = new("WAITING", $"for a new {current.Report().Timeline.Target.Name} to start");
        resuming = NextAsync(attachNext, quit.Token);
        return "The data stays until the new process starts.";
    }

    public async Task StopAsync(CancellationToken cancel)
    {
        await SettleAsync(cancel);
        if (!current.Completion.IsCompleted)
        {
            await current.StopAsync(cancel);
        }
    }

    public Task SuspendAsync(CancellationToken cancel) => StopAsync(cancel);

    public Task ResumeAsync(CancellationToken cancel)
    {
        quit = new();
        return resuming = AgainAsync(cancel, quit.Token);
    }

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
                // The target has ended in the meantime; the data of its session stays.
                return;
            }

            var before = current;
            current = await attachAgain(ends.Token);
            await before.DisposeAsync();
        }
        catch (UserErrorException e)
        {
            ResumeFailure = e.Message;
        }
        catch (OperationCanceledException) when (ends.IsCancellationRequested)
        {
            // The user has quit in the meantime; the data of the earlier session makes the final report.
        }
    }

    async Task NextAsync(Func<CancellationToken, Task<IWatch>> attach, CancellationToken quits)
    {
        try
        {
            var next = await attach(quits);
            var before = current;
            (current, awaits) = (next, null);
            await before.DisposeAsync();
        }
        catch (UserErrorException e)
        {
            awaits = new("FAILED", e.Message);
        }
        catch (OperationCanceledException) when (quits.IsCancellationRequested)
        {
            awaits = null;
        }
    }

    // Cancels a session that is just being started, since it must not stay open in the target.
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
