using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw011LateCallbacksTests
{
    static readonly Tpw011LateCallbacks Rule = new();

    [Fact]
    public void In_starvation_it_says_how_late_they_were_at_least()
    {
        var finding = Rule.Found(Undetected().Report());

        Assert.Equal(("TPW011", Severity.Note), (finding.Id, finding.Severity));
        Assert.Equal(4000, finding.Number("An item waited in the queue"));
    }

    [Fact]
    public void What_goes_before_the_queue_waits_for_the_next_worker_alone()
    {
        var finding = Rule.Found(Detected().Report());

        Assert.Equal(1001, finding.Number("Exception: registered waits and the first due timer"));
    }

    [Fact]
    public void Where_only_injections_tell_it_says_how_late_they_were_at_most()
    {
        // Three items behind eight workers: no heartbeat proves a wait.
        var finding = Rule.Found(new PoolScript().Opening().CounterSamples(3).Repeat(3, s => s.StarvationAfter(1001)).Pass(500).Report());

        Assert.Contains("registered waits and the first due timer were late by at most 1.0 s.", finding.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_nothing_tells_how_late_it_is_not_told()
    {
        // Just come, as a watch that was renewed has: the first injection has no progress before it, and no heartbeat proves a wait.
        var script = new PoolScript().TargetThreads(8).CounterSamples(3).StarvationAfter(600);

        Assert.Contains(script.Report().Episodes, e => e is { ProvenWaitMs: 0 } && e.Kind.IsWait());
        Assert.Contains("how long items waited", Rule.Open(script.Report()), StringComparison.Ordinal);
    }

    [Fact]
    public void On_Windows_sockets_go_first_and_before_net_7_timers_had_a_queue_of_their_own()
    {
        Assert.Contains(
            Rule.Found(Detected().Report().Known(t => t with { Os = "Windows" })).Evidence,
            e => e.Text.Contains("registered waits, sockets and the first due timer", StringComparison.Ordinal));
        Assert.Contains(
            Rule.Found(Detected().Report().Known(t => t with { RuntimeVersion = "6.0.36" })).Evidence,
            e => e.Text.StartsWith("Timers were late by at most", StringComparison.Ordinal));
    }

    [Fact]
    public void Waits_for_processors_and_short_waits_are_not_its_matter()
    {
        Rule.Clear(new PoolScript().Opening(2).CounterSamples(50, 2, cpu: 0.99).Pass(4000).Report());
        Rule.Clear(new PoolScript().Opening().CounterSamples(3, 500, 0.3).Pass(4000).Report());
    }

    [Fact]
    public void Loss_and_a_missing_heartbeat_leave_it_undecided()
    {
        Assert.Contains("lost", Rule.Open(new PoolScript().Opening().CounterSamples(0, 20).Lose().Pass(3000).Report()),
            StringComparison.Ordinal);
        Assert.Contains(
            "counter samples", Rule.Open(new PoolScript().Opening().Pass(5000).WorkerSleeps().Report()), StringComparison.Ordinal);
    }

    static PoolScript Undetected() => new PoolScript().Opening(2).CounterSamples(50, 2).Pass(4000);

    static PoolScript Detected() => new PoolScript().Opening().CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);
}
