using Tpwatch.Render;

namespace Tpwatch.Commands;

/// <summary>A process that runs already.</summary>
internal sealed class RunningTarget(ProcessRow row, IEngine engine) : ITarget
{
    /// <inheritdoc/>
    public ProcessRow Row => row;

    /// <inheritdoc/>
    public Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel) => engine.AttachAsync(row.Pid, options, cancel);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
