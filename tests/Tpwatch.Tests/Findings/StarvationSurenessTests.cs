using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

/// <summary>How sure it is that work waited for an injection depends on the heartbeats beside it.</summary>
public sealed class StarvationSurenessTests
{
    readonly Tpw001Starvation rule = new();

    [Fact]
    public void With_its_own_heartbeats_an_injection_is_certain() =>
        Assert.Equal(Confidence.High, Ask.Found(rule, Waiting().StarvationAfter(3503).Pass(2000)).Confidence);

    [Fact]
    public void Where_the_heartbeat_after_it_is_missing_it_is_not() =>
        Assert.Equal(
            Confidence.Medium, Ask.Found(rule, Waiting().NoBeats().StarvationAfter(3503).Pass(2000)
                .CounterSample(50, 0, 3, 0.02)).Confidence);

    static PoolScript Waiting() => new PoolScript().Opening(2).CounterSamples(50).Pass(3000);
}
