using Tpwatch.Attach;
using Tpwatch.Explain;
using Tpwatch.Render;

namespace Tpwatch.Commands;

/// <summary>The engine itself.</summary>
internal sealed class LiveEngine : IEngine
{
    /// <inheritdoc/>
    public Task<IReadOnlyList<ProcessRow>> FindAsync(CancellationToken cancel) => Task.FromResult<IReadOnlyList<ProcessRow>>([]);

    /// <inheritdoc/>
    public Task<ProcessRow> ByNameAsync(string name, CancellationToken cancel) => throw new NotSupportedException();

    /// <inheritdoc/>
    public Task<ProcessRow> ByPidAsync(int pid, CancellationToken cancel) => Task.FromResult(new ProcessRow(pid, "?", null, null, null));

    /// <inheritdoc/>
    public async Task<IWatch> AttachAsync(int pid, WatchOptions options, CancellationToken cancel) =>
        new LiveWatch(await ThreadPoolWatch.AttachAsync(pid, options, cancel));

    /// <inheritdoc/>
    public IWatch Replay(string file, WatchOptions options) => new LiveWatch(ThreadPoolWatch.Replay(file, options));

    sealed class LiveWatch(ThreadPoolWatch watch) : IWatch
    {
        public Task<SessionEnd> Completion => watch.Completion;

        public PoolReport Report() => watch.Report();

        public Task StopAsync(CancellationToken cancel) => watch.StopAsync(cancel);

        public ValueTask DisposeAsync() => watch.DisposeAsync();
    }
}
