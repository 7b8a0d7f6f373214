using Tpwatch.Capture;
using Tpwatch.Controls;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.World;

namespace Tpwatch.Watching;

/// <summary>An observation of the engine.</summary>
sealed class LiveWatch(ThreadPoolWatch watch, bool hasTarget) : IWatch
{
    /// <summary>
    /// What a flight recorder may hold of the stream: at basic depth half an hour of a busy target, some hours of an idle one, in less
    /// memory than the rest takes.
    /// </summary>
    public const long RetainedBytes = 8 << 20;

    /// <inheritdoc/>
    public Task<SessionEnd> Completion => watch.Completion;

    /// <inheritdoc/>
    public PoolReport Report() => watch.Report();

    /// <inheritdoc/>
    public Task News => watch.News;

    /// <inheritdoc/>
    public PoolGlance? Glance(TimelineSnapshot? since) => watch.Glance(since);

    /// <inheritdoc/>
    public Task StacksUnderWay => watch.Switches.Stacks?.UnderWay ?? Task.CompletedTask;

    /// <inheritdoc/>
    public double? Progress => watch.Progress;

    /// <inheritdoc/>
    public IProbeSwitch? Probes { get; } =
        watch.Switches is { Stacks: { } stacks } switches ? new ProbeSwitch(stacks, switches.Items) : null;

    /// <inheritdoc/>
    public TargetSilence? Silence => watch.Silence;

    /// <inheritdoc/>
    public string? RecordingEnded => watch.RecordingEnded;

    /// <inheritdoc/>
    public bool RecordingFailed => watch.RecordingFailed;

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancel) => watch.StopAsync(cancel);

    /// <inheritdoc/>
    public TimeSpan? Behind => watch.Behind;

    /// <inheritdoc/>
    public void Forget() => watch.Forget();

    /// <inheritdoc/>
    public SavedFlight SaveRetained(string path) => watch.SaveRetained(path);

    // A stopped reader would hold up the target's diagnostics; a recording minds nothing.
    /// <inheritdoc/>
    public Task SuspendAsync(CancellationToken cancel) => hasTarget ? watch.StopAsync(cancel) : Task.CompletedTask;

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => watch.DisposeAsync();
}
