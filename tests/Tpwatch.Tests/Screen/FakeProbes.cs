using Tpwatch.Controls;

namespace Tpwatch.Tests.Screen;

/// <summary>Probes that cost nothing and note who turned them.</summary>
sealed class FakeProbes : IProbeSwitch
{
    public List<(DeepProbe Probe, bool On)> Turned { get; } = [];

    public ProbeState Of(DeepProbe probe) => new(Turned.LastOrDefault(t => t.Probe == probe).On, "It costs 1% of a processor.", null);

    public string Turn(DeepProbe probe, bool on)
    {
        Turned.Add((probe, on));
        return $"{probe} {(on ? "on" : "off")}.";
    }
}
