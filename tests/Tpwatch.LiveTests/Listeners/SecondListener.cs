using Microsoft.Diagnostics.Tracing;
using Tpwatch.Sessions;
using Tpwatch.Targets;

namespace Tpwatch.LiveTests.Listeners;

/// <summary>A session of the test's own, beside the watch's or in its place; read on a thread of its own.</summary>
sealed class SecondListener : IAsyncDisposable
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    readonly LiveSession session;
    readonly TaskCompletionSource ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    SecondListener(LiveSession session, Action<EventPipeEventSource> subscribe)
    {
        this.session = session;
        new Thread(() => Read(subscribe)) { IsBackground = true, Name = "second listener" }.Start();
    }

    public static async Task<SecondListener> OpenAsync(
        int pid, Action<EventPipeEventSource> subscribe, CancellationToken cancel, params PlannedProvider[] providers)
    {
        var plan = new SessionPlan([.. providers]);
        return new(await LiveSession.OpenAsync(TargetFinder.ByPid(pid), _ => plan, cancel), subscribe);
    }

    /// <summary>Completes when everything was read, whatever ended it.</summary>
    public Task EndAsync() => ended.Task.WaitAsync(Limit);

    public async ValueTask DisposeAsync()
    {
        await session.StopAsync(CancellationToken.None);
        await EndAsync();
        await session.DisposeAsync();
    }

    void Read(Action<EventPipeEventSource> subscribe)
    {
        try
        {
            using var source = new EventPipeEventSource(session.Events);
            subscribe(source);
            source.Process();
            ended.SetResult();
        }
        catch (FormatException)
        {
            // The target ended without an end mark; what it sent was read.
            ended.SetResult();
        }
        catch (Exception e)
        {
            ended.SetException(e);
        }
    }
}
