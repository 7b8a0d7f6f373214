using Tpwatch.Attach;
using Tpwatch.Explain;

namespace Tpwatch.Commands;

/// <summary>An observation of the engine.</summary>
internal sealed class LiveWatch(ThreadPoolWatch watch) : IWatch
{
    /// <inheritdoc/>
    public Task<SessionEnd> Completion => watch.Completion;

    /// <inheritdoc/>
    public PoolReport Report() => watch.Report();

    /// <inheritdoc/>
    public string? RecordingEnded => watch.RecordingEnded;

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancel) => watch.StopAsync(cancel);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => watch.DisposeAsync();
}
