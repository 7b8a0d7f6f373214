using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen;

/// <summary>Probes that cost nothing and note who turned them.</summary>
sealed class FakeProbes : IProbeSwitch
{
    public List<(OptionalProbe Probe, bool On)> Turned { get; } = [];

    /// <summary>How it goes with the stacks.</summary>
    public string? Says { get; set; }

    /// <summary>Whether what was asked for is not there yet.</summary>
    public bool IsUnderWay { get; set; }

    public ProbeState Of(OptionalProbe probe) =>
        new(Turned.LastOrDefault(t => t.Probe == probe).On, "It costs 1% of a processor.", null) { Says = Says, IsUnderWay = IsUnderWay };

    public string Turn(OptionalProbe probe, bool on)
    {
        Turned.Add((probe, on));
        return $"{probe} {(on ? "on" : "off")}.";
    }
}
