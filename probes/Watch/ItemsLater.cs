using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.Watch;

/// <summary>
/// Watches work items or requests of a live target from the moment on at which somebody asks for it, in a session beside the first one.
/// </summary>
sealed class ItemsLater : IAsyncDisposable
{
    readonly LiveSession session;
    readonly WatchOptions options;
    readonly CaptureDepth what;
    readonly TimeSpan? atMost;
    readonly CancellationTokenSource ends = new();
    readonly CancellationToken ended;
    volatile DeepCapture? reading;
    volatile string? failure;
    SideSession? opened;
    Task opening = Task.CompletedTask;
    int disposed;

    /// <summary>Watches nothing until somebody asks; then <paramref name="what"/>, until the end or for so long.</summary>
    public ItemsLater(LiveSession session, WatchOptions options, CaptureDepth what, TimeSpan? atMost = null) =>
        (this.session, this.options, this.what, this.atMost, ended) = (session, options, what, atMost, ends.Token);

    /// <summary>Whether somebody has asked.</summary>
    public bool IsAsked { get; private set; }

    /// <summary>Why the session could not be opened or has ended before its time, one sentence; null while all is well.</summary>
    public string? Remark => failure ?? reading?.Remark;

    /// <summary>Completes when the session is open, or cannot be.</summary>
    public Task Opened { get; private set; } = Task.CompletedTask;

    /// <summary>What was seen; null before the session is open.</summary>
    public DeepSnapshot? Latest => reading?.Latest;

    /// <summary>Whether the watch has ended, at Ctrl+Z as well: then nothing can be asked for.</summary>
    public bool HasEnded => Volatile.Read(ref disposed) == 1;

    /// <summary>Asks for it; it begins about a tenth of a second later. Once is enough, and after the end nothing comes of it.</summary>
    public void Ask()
    {
        if (!IsAsked && !HasEnded)
        {
            IsAsked = true;
            Opened = OpenAsync(ended);
            opening = EndInTimeAsync(ended);
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
        var wanted = options with { Depth = what, RecordTo = null };
        var probes = DeepProbes.For(wanted, session.Target.RuntimeMajor)!;
        try
        {
            opened = await session.OpenBesideAsync(SessionNeeds.Beside(probes.Probes), cancel).ConfigureAwait(false);
            reading = new(opened, probes, wanted.Time, recording: null, gate: null);
        }
        catch (Exception e) when (SessionErrors.IsForeseen(e) || e is OperationCanceledException)
        {
            failure = cancel.IsCancellationRequested
                ? null
                : $"{(what == CaptureDepth.Items ? "work items" : "requests")} cannot be watched: {e.Message}";
        }
    }

    async Task EndInTimeAsync(CancellationToken cancel)
    {
        await Opened.ConfigureAwait(false);
        if (atMost is not { } limit || reading is not { } deep)
        {
            return;
        }

        try
        {
            await Task.Delay(limit, options.Time, cancel).ConfigureAwait(false);
            await deep.StopAsync(cancel).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancel.IsCancellationRequested)
        {
            // Who ends it before stops the session as well.
        }
    }
}
