using Tpwatch.Options;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>A process that was already running.</summary>
/// <param name="row">The process.</param>
/// <param name="engine">Attaches to it.</param>
/// <param name="awaited">Whether tpwatch waited for it to start, so that it may still be starting.</param>
sealed class RunningTarget(ProcessRow row, IEngine engine, bool awaited = false) : ITarget
{
    public ProcessRow Row => row;

    public Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel) =>
        engine.AttachAsync(row, options with { MayBeStarting = awaited }, cancel);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
