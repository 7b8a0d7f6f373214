using Tpwatch.Render.Shared;
using Tpwatch.World;

namespace Tpwatch.Targets;

/// <summary>A process that runs already.</summary>
sealed class RunningTarget(ProcessRow row, IEngine engine) : ITarget
{
    /// <inheritdoc/>
    public ProcessRow Row => row;

    /// <inheritdoc/>
    public Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel) => engine.AttachAsync(row, options, cancel);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
