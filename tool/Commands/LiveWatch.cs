using Tpwatch.Attach;
using Tpwatch.Explain;

namespace Tpwatch.Commands;

/// <summary>An observation of the engine.</summary>
internal sealed class LiveWatch(ThreadPoolWatch watch, bool hasTarget) : IWatch
{
    /// <inheritdoc/>
    public Task<SessionEnd> Completion => watch.Completion;

    /// <inheritdoc/>
    public PoolReport Report() => watch.Report();

    /// <inheritdoc/>
    public double? Progress => watch.Progress;

    /// <inheritdoc/>
    public TargetSilence? Silence => watch.Silence;

    /// <inheritdoc/>
    public string? RecordingEnded => watch.RecordingEnded;

    /// <inheritdoc/>
    public bool RecordingFailed => watch.RecordingFailed;

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancel) => watch.StopAsync(cancel);

    // A stopped reader would hold up the target's diagnostics; a recording minds nothing.
    /// <inheritdoc/>
    public Task SuspendAsync(CancellationToken cancel) => hasTarget ? watch.StopAsync(cancel) : Task.CompletedTask;

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => watch.DisposeAsync();
}
