using Tpwatch.Render.Tui;

namespace Tpwatch.Commands;

/// <summary>Switches the deep probes of a live watch: stacks at any time; items only from the start, since they need a session of their own.</summary>
internal sealed class ProbeSwitch(BurstWatch bursts, Func<bool> itemsAreOn) : IProbeSwitch
{
    /// <inheritdoc/>
    public ProbeState Of(DeepProbe probe) => probe == DeepProbe.Stacks
        ? new(bursts.IsAllowed, $"Stacks: bursts while items wait, each about {DepthOption.BurstMs} ms of pauses, at most one in 5 s.", null)
        : new(itemsAreOn(), "Items: two events each.", itemsAreOn() ? "Items are watched until the end: the probe cannot be switched off." : "Items must be asked for at the start: --depth items.");

    /// <inheritdoc/>
    public string Turn(DeepProbe probe, bool on)
    {
        bursts.IsAllowed = on;
        return on ? "Stacks are taken while items wait; who holds a lock is known with --depth stacks from the start." : "No more stacks are taken; what they showed stays.";
    }
}
