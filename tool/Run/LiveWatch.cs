using Tpwatch.Options;
using Tpwatch.Recordings;
using Tpwatch.Screen.State;
using Tpwatch.Watch;

namespace Tpwatch.Run;

/// <summary>An observation of the engine.</summary>
sealed class LiveWatch(ThreadPoolWatch watch, bool hasTarget) : IWatch
{
    /// <summary>
    /// What a flight recorder may hold of the stream: at basic depth half an hour of a busy target, some hours of an idle one, in less
    /// memory than the rest takes.
    /// </summary>
    public const long RetainedBytes = 8 << 20;

    public Task<SessionEnd> Completion => watch.Completion;

    public PoolReport Report() => watch.Report();

    public Task News => watch.News;

    public PoolGlance? Glance(TimelineSnapshot? since) => watch.Glance(since);

    public Task StacksUnderWay => watch.Switches.Stacks?.UnderWay ?? Task.CompletedTask;
    public double? Progress => watch.Progress;

    public IProbeSwitch? Probes { get; } =
        watch.Switches is { Stacks: { } stacks } switches ? new ProbeSwitch(stacks, switches.Items) : null;

    public TargetSilence? Silence => watch.Silence;
    public string? RecordingEnded => watch.RecordingEnded;
    public bool RecordingFailed => watch.RecordingFailed;

    public Task StopAsync(CancellationToken cancel) => watch.StopAsync(cancel);

    public TimeSpan? Behind => watch.Behind;

    public void Forget() => watch.Forget();

    public SavedFlight SaveRetained(string path) => watch.SaveRetained(path);

    // A stopped reader would hold up the target's diagnostics; a recording minds nothing.
    public Task SuspendAsync(CancellationToken cancel) => hasTarget ? watch.StopAsync(cancel) : Task.CompletedTask;

    public ValueTask DisposeAsync() => watch.DisposeAsync();
}
