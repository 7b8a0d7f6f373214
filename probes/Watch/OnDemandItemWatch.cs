using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.Watch;

/// <summary>Watches work items or HTTP requests of a live target from the call of <see cref="Ask"/> on, in a second session.</summary>
sealed class OnDemandItemWatch : IAsyncDisposable
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

    /// <summary>Creates an idle watch for <paramref name="what"/>, which ends <paramref name="atMost"/> after its start.</summary>
    public OnDemandItemWatch(LiveSession session, WatchOptions options, CaptureDepth what, TimeSpan? atMost = null) =>
        (this.session, this.options, this.what, this.atMost, ended) = (session, options, what, atMost, ends.Token);

    /// <summary>Whether <see cref="Ask"/> has started the watch.</summary>
    public bool IsAsked { get; private set; }

    /// <summary>Why the session could not be opened or ended early, one sentence; null otherwise.</summary>
    public string? Remark => failure ?? reading?.Remark;

    /// <summary>Completes when the session is open, or could not be opened.</summary>
    public Task Opened { get; private set; } = Task.CompletedTask;

    /// <summary>The observations; null before the session is open.</summary>
    public DeepSnapshot? Latest => reading?.Latest;

    /// <summary>Whether the watch has ended, also by Ctrl+Z; <see cref="Ask"/> then has no effect.</summary>
    public bool HasEnded => Volatile.Read(ref disposed) == 1;

    /// <summary>Starts the watch within about a tenth of a second. Further calls, and calls after the end, have no effect.</summary>
    public void Ask()
    {
        if (!IsAsked && !HasEnded)
        {
            IsAsked = true;
            Opened = OpenAsync(ended);
            opening = EndInTimeAsync(ended);
        }
    }

    /// <summary>Ends the session in order and releases it.</summary>
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
        // A recording contains only the streams that were chosen at the start.
        var wanted = options with { Depth = what, RecordTo = null };
        var probes = DeepProbes.For(wanted, session.Target.RuntimeMajor)!;
        try
        {
            opened = await session.OpenSideAsync(SessionNeeds.Side(probes.Probes), cancel).ConfigureAwait(false);
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
            // A caller that ends the watch earlier also stops the session.
        }
    }
}
