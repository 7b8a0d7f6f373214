using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>A second session with a process that is being watched: what it costs, loses or breaks does not touch the first one.</summary>
sealed class SideSession : ISideStream
{
    /// <summary>The runtime answers a stop when it has told all its methods; a large service has hundreds of thousands.</summary>
    static readonly TimeSpan RundownLimit = TimeSpan.FromSeconds(15);

    readonly TimeSpan stopLimit;
    readonly OpenPort port;
    readonly TimeProvider time;
    int stopAsked;
    int disposed;

    SideSession(OpenPort port, SessionPlan plan, TimeProvider time)
    {
        this.port = port;
        this.time = time;
        stopLimit = plan.Rundown ? RundownLimit : LiveSession.StopLimit;
        Events = new EndingStream(port.Session.EventStream);
    }

    public Stream Events { get; }
    public bool WithStacks => !port.WithoutStacks;

    public string? Ended(bool properEndMark) => null;

    /// <summary>Opens one; throws what the client library throws (<see cref="SessionErrors.IsForeseen"/>).</summary>
    public static async Task<SideSession> OpenAsync(Target target, SessionPlan plan, TimeProvider time, CancellationToken cancel) =>
        new(await OpenPort.StartAsync(target, plan, cancel).ConfigureAwait(false), plan, time);

    /// <summary>
    /// Opens one for who passes the stream on: nobody looks at the process from outside. Throws as
    /// <see cref="LiveSession.OpenAsync(Target, Func{TargetFacts, SessionPlan}, CancellationToken)"/>, and takes as long at most.
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
