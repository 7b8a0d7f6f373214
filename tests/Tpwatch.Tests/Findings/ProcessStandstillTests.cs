using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

/// <summary>What kept the process itself from running, and what that explains.</summary>
public sealed class ProcessStandstillTests
{
    /// <summary>A stop explains delays from the second on that counts as starvation (20 ms less), and for ten minutes.</summary>
    [Theory]
    [InlineData(10, 980, 0, true)]
    [InlineData(10, 979, 0, false)]
    [InlineData(700, 2000, 0, false)]
    [InlineData(700, 0, 2000, true)]
    [InlineData(700, 2000, 100, false)]
    public void A_long_stop_explains_delays_while_it_is_recent(int seconds, double firstMs, double lastMs, bool explains)
    {
        var script = new PoolScript().Opening().CounterSamples(0, 20).Pass(1000 * seconds);
        Hindrance[] stops = [Stop(5000, firstMs), Stop((1000 * seconds) - 5000, lastMs)];
        Assert.Equal(explains, ProcessStandstill.ExplainsDelays(
            script.Timeline.Snapshot() with { Hindrances = [.. stops.Where(stop => stop.Ms > 0)] }));

        Hindrance Stop(double from, double ms) =>
            new(new(script.Origin.PlusMs(from), script.Origin.PlusMs(from + ms)), HindranceKind.Stopped, ms);
    }

    /// <summary>More than half of four injections at unexpected times: the gate itself lacks a processor.</summary>
    [Theory]
    [InlineData(2, false)]
    [InlineData(3, true)]
    public void A_gate_that_mostly_comes_at_unexpected_times_lacks_a_processor(int late, bool lacks)
    {
        Assert.Equal(lacks, new ProcessorLack(0, Waited: 0.5, Ran: 0.4, late, Timed: 4).IsProven);
        Assert.Equal(lacks, new ProcessorLack(0, Waited: null, Ran: 0.4, late, Timed: 4).IsDoubtful);
    }
}
