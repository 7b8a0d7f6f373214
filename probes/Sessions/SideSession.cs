using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>A second session with a watched process; its cost, losses and failures do not affect the first session.</summary>
sealed class SideSession : ISideStream
{
    /// <summary>
    /// The stop limit with rundown: the runtime answers after it has reported all its methods; a large program has hundreds of thousands.
    /// </summary>
    static readonly TimeSpan RundownLimit = TimeSpan.FromSeconds(15);

    readonly TimeSpan stopLimit;
    readonly EventPipeConnection port;
    readonly TimeProvider time;
    int stopAsked;
    int disposed;

    SideSession(EventPipeConnection port, SessionPlan plan, TimeProvider time)
    {
        this.port = port;
        this.time = time;
        stopLimit = plan.Rundown ? RundownLimit : LiveSession.StopLimit;
    }

    public Stream Events => port.Events;
    public bool WithStacks => !port.WithoutStacks;

    public string? Ended(bool properEndMark) => null;

    /// <summary>Opens a side session; throws the client library's exceptions (<see cref="SessionErrors.IsForeseen"/>).</summary>
    public static async Task<SideSession> OpenAsync(Target target, SessionPlan plan, TimeProvider time, CancellationToken cancel) =>
        new(await EventPipeConnection.StartAsync(target, plan, cancel).ConfigureAwait(false), plan, time);

    /// <summary>
    /// Opens a session for a caller that passes the stream on; the process is not sampled. Has the exceptions and the time limit of
    /// <see cref="LiveSession.OpenAsync(Target, Func{TargetFacts, SessionPlan}, CancellationToken)"/>.
    /// </summary>
    public static Task<SideSession> OpenAsync(Target target, Func<TargetFacts, SessionPlan> plan, CancellationToken cancel)
    {
        LiveSessionSetting setting = new();
        return StartLimit.WithinAsync(
            setting, target, (facts, within) => OpenAsync(target, plan(facts), setting.Time, within), cancel);
    }

    public async Task StopAsync(CancellationToken cancel)
    {
        if (Interlocked.Exchange(ref stopAsked, 1) == 0)
        {
            await port.StopAsync(stopLimit, time, cancel).ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) == 0)
        {
            await port.CloseAsync(time).ConfigureAwait(false);
        }
    }
}
