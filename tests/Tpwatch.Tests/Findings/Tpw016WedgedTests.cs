using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Render;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw016WedgedTests
{
    static readonly Tpw016Wedged Rule = new();

    internal static IEnumerable<PoolReport> Told =>
        ((string[])["10.0.1", "9.0.11", "9.0.12", "10.0.12", "10.0.0-rc.2.25502.107", "8.0.27", "6.0.36", "11.0.0"]).Select(Wedged);

    [Fact]
    public void A_pool_that_stands_with_items_in_the_queue_is_found()
    {
        var finding = Rule.Found(Wedged("10.0.1"));

        Assert.Equal(("TPW016", Severity.Serious, Confidence.High), (finding.Id, finding.Severity, finding.Confidence));
        Assert.Equal((9000, 40), (finding.Number("Longest time"), finding.Number("Waiting items")));
    }

    [Theory]
    [InlineData("10.0.1", "10.0.1 can lose the request for a worker")]
    [InlineData("9.0.11", "fixed in versions after 9.0.11")]
    [InlineData("9.0.12", "9.0.12 already has the fix")]
    [InlineData("10.0.12", "10.0.12 already has the fix")]
    [InlineData("10.0.0-rc.2.25502.107", "can lose the request")]
    [InlineData("8.0.27", "dotnet/runtime#128879")]
    [InlineData("6.0.36", "out of support")]
    [InlineData("11.0.0", "Update the runtime to its newest servicing version.")]
    public void The_known_fault_is_named_by_version(string version, string said) =>
        Assert.Contains(said, Rule.Found(Wedged(version)).Remedies[^1].Text, StringComparison.Ordinal);

    [Fact]
    public void Min_is_never_advised() =>
        Assert.DoesNotContain(Rule.Found(Wedged("10.0.1")).Remedies,
            r => r.Text.Contains("SetMinThreads", StringComparison.Ordinal) || r.Setting is not null);

    [Fact]
    public void Fewer_workers_than_processors_prove_it_though_max_is_not_visible() =>
        Rule.Found(new PoolScript().Processors(8).Repeat(8, s => s.Pass(1000).CounterSample(40, 0, 2, 0.02)));

    [Fact]
    public void Injections_short_stalls_and_a_max_that_is_reached_are_no_wedge() => Rule.Clear(
        ("injections", new PoolScript().Opening().CounterSamples(90).Repeat(12, s => s.StarvationAfter(1001))),
        ("a short stall", new PoolScript().Processors(8).WorkerAppears().CounterSamples(40).Pass(2500)),
        ("max", new PoolScript().Processors(8).Limits(8, 8).Ramp(8).CounterSamples(40).Pass(8000)));

    [Fact]
    public void Loss_leaves_it_undecided() =>
        Rule.Open(new PoolScript().Opening().CounterSamples(40).Pass(2000).Lose().Pass(2500), MissingKind.LostEvents);

    static PoolReport Wedged(string version) => SampleReports.With(SampleReports.InjectionDelay(1, 1000, 10_000) with
    {
        Reason = null,
        TargetThreadsAfter = null,
        Ticks = [],
        Windows = [],
        Verdict = DelayVerdict.Open,
        Mechanism = Mechanism.G14Wedged,
        QueueLength = 40,
        Cpu = 0.01,
    }).Known(t => t with { RuntimeVersion = version, MaxWorkers = new(32767, SettingSource.Default) });
}
