using Tpwatch.Render.Shared;
using Tpwatch.World;

namespace Tpwatch.Targets;

/// <summary>A process that runs already.</summary>
sealed class RunningTarget(ProcessRow row, IEngine engine) : ITarget
{
    public ProcessRow Row => row;

    public Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel) => engine.AttachAsync(row, options, cancel);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
