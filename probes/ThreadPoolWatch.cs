using Tpwatch.Attach;
using Tpwatch.Explain;

namespace Tpwatch;

/// <summary>The face of the engine, declared so that the verbs compile; its bodies are written elsewhere and replace this file.</summary>
public sealed class ThreadPoolWatch : IAsyncDisposable
{
    ThreadPoolWatch()
    {
    }

    /// <summary>Completes when the stream has ended and everything is folded.</summary>
    public Task<SessionEnd> Completion => throw new NotSupportedException();

    /// <summary>Attaches to a running process.</summary>
    public static Task<ThreadPoolWatch> AttachAsync(int pid, WatchOptions options, CancellationToken cancel) => throw new NotSupportedException();

    /// <summary>Reads a recording.</summary>
    public static ThreadPoolWatch Replay(string file, WatchOptions options) => throw new NotSupportedException();

    /// <summary>The latest report.</summary>
    public PoolReport Report() => throw new NotSupportedException();

    /// <summary>Stops in order.</summary>
    public Task StopAsync(CancellationToken cancel) => throw new NotSupportedException();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
