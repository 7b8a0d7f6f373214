using Tpwatch.Capture;
using Tpwatch.Controls;

namespace Tpwatch.Watching;

/// <summary>
/// Switches the deep probes of a live watch: stacks on and off; items on, if they are not watched from the start (then
/// <paramref name="items"/> is null).
/// </summary>
sealed class ProbeSwitch(BurstWatch bursts, ItemsLater? items) : IProbeSwitch
{
    const string Ended = "The session has ended: nothing can be switched on until there is another.";

    /// <inheritdoc/>
    public ProbeState Of(DeepProbe probe) => probe == DeepProbe.Stacks
        ? new(
            bursts.IsAllowed, $"Stacks: bursts while items wait, each about {DepthPrice.BurstMs} ms of pauses, at most one in 5 s.",
            bursts.HasEnded ? Ended : null)
        {
            Says = bursts.Said,
        }
        : new(
            items is not { IsAsked: false },
            $"Items: two events each; a target saturated with {DepthPrice.ItemsPerSecond} a second gets {DepthPrice.ItemsShare} of them "
                + $"done, {DepthPrice.ItemsWithStacksShare} on .NET 8.",
            items is { HasEnded: true }
                ? Ended
                : items?.Remark
                    ?? (items is not { IsAsked: false } ? "Items are watched until the end: the probe cannot be switched off." : null));

    /// <inheritdoc/>
    public string Turn(DeepProbe probe, bool on)
    {
        if (bursts.HasEnded)
        {
            return Ended;
        }

        if (probe == DeepProbe.Items)
        {
            items?.Ask();
            return "Items are watched from now on, until the end; those that were queued before count as unmatched.";
        }

        if (on)
        {
            bursts.Ask();
            return "Stacks are being taken, and more while items wait: 3 shows them; t stops that.";
        }

        bursts.Decline();
        return "No more stacks are taken. What they showed stays on 3; t takes more.";
    }
}
