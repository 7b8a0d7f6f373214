using Tpwatch.Options;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>A process that was running before tpwatch attached.</summary>
/// <param name="row">The facts about the process.</param>
/// <param name="engine">Attaches to the process.</param>
/// <param name="awaited">Whether tpwatch waited for the process, so that the process may still be starting.</param>
sealed class RunningTarget(ProcessRow row, IEngine engine, bool awaited = false) : ITarget
{
    public ProcessRow Row => row;

    public Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel) =>
        engine.AttachAsync(row, options with { MayBeStarting = awaited }, cancel);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
