using Tpwatch.Options;
using Tpwatch.Recordings;
using Tpwatch.Screen.State;
using Tpwatch.Watch;

namespace Tpwatch.Run;

/// <summary>An observation of a process or a recording by the engine.</summary>
sealed class LiveWatch(ThreadPoolWatch watch, bool hasTarget) : IWatch
{
    /// <summary>
    /// Maximum number of bytes of the stream that the flight recorder retains. At basic depth this is half an hour of a busy target or
    /// several hours of an idle one, in less memory than the rest of tpwatch uses.
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

    // A stopped tpwatch would block the target's diagnostics, so the session ends. The reading of a recording may simply stop.
    public Task SuspendAsync(CancellationToken cancel) => hasTarget ? watch.StopAsync(cancel) : Task.CompletedTask;

    public ValueTask DisposeAsync() => watch.DisposeAsync();
}

/// <summary>
/// Switches the deep probes of a live watch: stacks on and off, items only on. <paramref name="items"/> is null if tpwatch measures items
/// from the start.
/// </summary>
sealed class ProbeSwitch(BurstWatch bursts, OnDemandItemWatch? items) : IProbeSwitch
{
    const string Ended = "The session has ended, so tpwatch can measure nothing more.";

    public ProbeState Of(DeepProbe probe) => probe == DeepProbe.Stacks
        ? new(
            bursts.IsAllowed,
            bursts.Reads
                ? "Cost: tpwatch reads the memory now, more while items wait (at most once in 5 s). The process is not paused. "
                    + $"If that does not show the call, a burst of stacks pauses the process for about {DepthPrice.BurstMs} ms."
            : $"Cost: a burst now, more while items wait (at most one in 5 s). Each pauses the process for about {DepthPrice.BurstMs} ms.",
            bursts.HasEnded ? Ended : null)
        {
            Says = bursts.Said,
            IsUnderWay = bursts.IsUnderWay,
        }
        : new(
            items is not { IsAsked: false },
            $"Cost: two events per item. A process saturated with {DepthPrice.ItemsPerSecond} items a second then keeps "
                + $"{DepthPrice.ItemsShare} of its throughput ({DepthPrice.ItemsWithStacksShare} on .NET 8).",
            items is { HasEnded: true }
                ? Ended
                : items?.Remark
                    ?? (items is not { IsAsked: false } ? "tpwatch measures items until it exits: you cannot switch this off." : null));

    public string Turn(DeepProbe probe, bool on)
    {
        if (bursts.HasEnded)
        {
            return Ended;
        }

        if (probe == DeepProbe.Items)
        {
            items?.Ask();
            return "tpwatch measures items from now on, until it exits. The queue time of items queued before is not known.";
        }

        if (on)
        {
            bursts.Ask();
            return bursts.Reads
                ? "Reading the memory now, without a pause, and more while items wait. 3 shows what was read; t stops that."
                : "Taking stacks now, and more while items wait. 3 shows them; t stops the bursts.";
        }

        bursts.Decline();
        return "Stopped taking stacks. 3 still shows those taken; t takes more.";
    }
}
