using Tpwatch.Attach;
using Tpwatch.Explain;

namespace Tpwatch.Commands;

/// <summary>One observation that goes on, as far as verbs need it; the engine's public face behind a seam, so that verbs can be tested without a process.</summary>
internal interface IWatch : IAsyncDisposable
{
    /// <summary>Completes when the stream has ended and everything is folded.</summary>
    Task<SessionEnd> Completion { get; }

    /// <summary>The latest report; the same object while nothing has changed.</summary>
    PoolReport Report();

    /// <summary>Stops in order; bounded in time.</summary>
    Task StopAsync(CancellationToken cancel);
}
