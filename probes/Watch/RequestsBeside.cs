using Tpwatch.Sessions;

namespace Tpwatch.Watch;

/// <summary>
/// When the requests of a target's HTTP server are watched: before the first burst of stacks, so that a request that is blocked by now is
/// known when it ends on its thread; or from the start, as soon as there is a server.
/// </summary>
sealed class RequestsBeside(LiveSession session, ItemsLater? requests, TimeProvider time, bool fromTheStart)
{
    /// <summary>A program that has just started loads its server later; to look for it reads the process's memory map.</summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromSeconds(2);

    /// <summary>One that has none by then serves no requests in a short look either.</summary>
    static readonly TimeSpan LookFor = TimeSpan.FromSeconds(30);

    bool awaited = fromTheStart;
    long? first;
    long? looked;

    /// <summary>Whether it has not been looked for yet.</summary>
    public bool IsDue => awaited && looked is null;

    /// <summary>Watches from now on, where that was wanted from the start and there is a server by now.</summary>
    public async Task LookAsync(CancellationToken cancel)
    {
        if (awaited && (looked is not { } last || time.GetElapsedTime(last) >= LookAgain))
        {
            looked = time.GetTimestamp();
            first ??= looked;
            await AskAsync(cancel).ConfigureAwait(false);
            awaited = requests is { IsAsked: false } && time.GetElapsedTime(first.Value) < LookFor;
        }
    }

    /// <summary>Watches from now on, where there is a server: a session of its own for a while.</summary>
    public async Task AskAsync(CancellationToken cancel)
    {
        if (requests is { IsAsked: false } && session.MayServeRequests())
        {
            requests.Ask();
            await requests.Opened.WaitAsync(cancel).ConfigureAwait(false);
        }
    }
}
