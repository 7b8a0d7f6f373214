using Tpwatch.Attach.Sessions;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Timeline.Items;

namespace Tpwatch.Capture;

/// <summary>
/// Watches work items of a live target from the moment on at which somebody asks for it, in a session beside the first one.
/// </summary>
sealed class ItemsLater : IAsyncDisposable
{
    readonly LiveSession session;
    readonly WatchOptions options;
    readonly CancellationTokenSource ends = new();
    readonly CancellationToken ended;
    volatile DeepCapture? reading;
    volatile string? failure;
    SideSession? opened;
    Task opening = Task.CompletedTask;
    int disposed;

    /// <summary>Watches nothing until somebody asks.</summary>
    public ItemsLater(LiveSession session, WatchOptions options) => (this.session, this.options, ended) = (session, options, ends.Token);

    /// <summary>Whether somebody has asked.</summary>
    public bool IsAsked { get; private set; }

    /// <summary>Why the session could not be opened or has ended before its time, one sentence; null while all is well.</summary>
    public string? Remark => failure ?? reading?.Remark;

    /// <summary>What was seen of items; null before the session is open.</summary>
    public DeepSnapshot? Latest => reading?.Latest;

    /// <summary>Whether the watch has ended, at Ctrl+Z as well: then nothing can be asked for.</summary>
    public bool HasEnded => Volatile.Read(ref disposed) == 1;

    /// <summary>Asks for it; it begins about a tenth of a second later. Once is enough, and after the end nothing comes of it.</summary>
    public void Ask()
    {
        if (!IsAsked && !HasEnded)
        {
            IsAsked = true;
            opening = OpenAsync(ended);
        }
    }

    /// <summary>Ends the session in order, and lets go of it.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) == 1)
        {
            return;
        }

        await ends.CancelAsync().ConfigureAwait(false);
        await opening.ConfigureAwait(false);
        if (reading is { } deep && opened is { } stream)
        {
            await deep.StopAsync(CancellationToken.None).ConfigureAwait(false);
            await Task.WhenAny(deep.Completion, Task.Delay(LiveSession.StopLimit, options.Time)).ConfigureAwait(false);
            await stream.DisposeAsync().ConfigureAwait(false);
        }

        ends.Dispose();
    }

    async Task OpenAsync(CancellationToken cancel)
    {
        // What is recorded was agreed upon at the start.
        var wanted = options with { Depth = CaptureDepth.Items };
        var probes = DeepProbes.For(wanted, session.Target.RuntimeMajor)!;
        try
        {
            opened = await session.OpenBesideAsync(SessionNeeds.Beside(probes.Probes), cancel).ConfigureAwait(false);
            reading = new(opened, probes, wanted.Time, recording: null, gate: null);
        }
        catch (Exception e) when (SessionErrors.IsForeseen(e) || e is OperationCanceledException)
        {
            failure = cancel.IsCancellationRequested ? null : $"work items cannot be watched: {e.Message}";
        }
    }
}
