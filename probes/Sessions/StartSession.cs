using Tpwatch.Recordings;

namespace Tpwatch.Sessions;

/// <summary>
/// The session that a young process has first, with the provider of the runtime's native code alone. When the process has started, the
/// whole session is opened, and then this one ended, so that nothing is missed between them.
/// Counters that are switched on while the process makes its first use of the array pool can block both for good (dotnet/runtime#119014):
/// of 60 programs that used it at a random moment of their first 0.3 s, meanwhile, 3 hung; of 60 whose counters were on before their first
/// instruction none. So a suspended process has the whole session at once.
/// </summary>
sealed class StartSession : IStartStream, IAsyncDisposable
{
    /// <summary>An older process has started: a host with its configuration takes one to three seconds. Milliseconds.</summary>
    public const double YoungMs = 3000;

    /// <summary>As long as a session may take to open.</summary>
    static readonly TimeSpan OpenLimit = TimeSpan.FromSeconds(10);

    static readonly TimeSpan TryAgain = TimeSpan.FromSeconds(1);

    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(5);

    readonly OpenPort port;
    readonly TimeProvider time;
    readonly CancellationTokenSource ends = new();
    readonly Task following;

    /// <param name="port">The session with the native provider.</param>
    /// <param name="after">When the process has started.</param>
    /// <param name="open">Opens the whole session.</param>
    /// <param name="time">Paces it.</param>
    public StartSession(OpenPort port, TimeSpan after, Func<CancellationToken, Task<OpenPort>> open, TimeProvider time)
    {
        (this.port, this.time) = (port, time);
        Events = new EndingStream(port.Session.EventStream);
        following = FollowAsync(after, open);
    }

    public Stream Events { get; }

    /// <summary>The whole session, once it is open and this one has ended; null before, and where there will be none.</summary>
    public OpenPort? Following { get; private set; }

    /// <summary>Completes when the whole session is open, or will not be.</summary>
    public Task Settled => following;

    public bool IsFollowed()
    {
        // Where the stream has ended by itself the process has.
        if (!following.IsCompleted)
        {
            ends.Cancel();
        }

        while (!following.IsCompleted)
        {
            Thread.Sleep(LookAgain);
        }

        return Following is not null;
    }

    /// <summary>No session is to follow any more; one that is being opened is, when this returns.</summary>
    public async Task ConcludeAsync()
    {
        if (!following.IsCompleted)
        {
            await ends.CancelAsync().ConfigureAwait(false);
        }

        await following.ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        await ConcludeAsync().ConfigureAwait(false);
        if (Following is { } open)
        {
            await open.CloseAsync(time).ConfigureAwait(false);
        }
    }

    async Task FollowAsync(TimeSpan after, Func<CancellationToken, Task<OpenPort>> open)
    {
        for (var next = after; Following is null && !ends.IsCancellationRequested; next = TryAgain)
        {
            try
            {
                await Task.Delay(next, time, ends.Token).ConfigureAwait(false);
                using CancellationTokenSource limit = new(OpenLimit, time);
                using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, ends.Token);
                var opened = await open(either.Token).ConfigureAwait(false);
                await port.StopAsync(LiveSession.StopLimit, time, CancellationToken.None).ConfigureAwait(false);
                Following = opened;
            }
            catch (Exception e) when (SessionErrors.IsForeseen(e))
            {
                // Stopped by a debugger it answers later; where it has ended its stream ends as well, and with that this.
            }
        }
    }
}
