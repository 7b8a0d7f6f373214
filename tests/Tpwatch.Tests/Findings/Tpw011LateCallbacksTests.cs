using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw011LateCallbacksTests
{
    static readonly Tpw011LateCallbacks Rule = new();

    internal static IEnumerable<PoolReport> Told => [JustCome(), OnWindows(), BeforeNet7()];

    [Fact]
    public void In_starvation_it_says_how_late_they_were_and_what_goes_before_the_queue_waits_for_the_next_worker_alone()
    {
        var finding = Rule.Found(Ask.Undetected());
        Assert.Equal(("TPW011", Severity.Note), (finding.Id, finding.Severity));
        Assert.Equal(4000, finding.Number("An item waited in the queue"));
        Assert.Equal(1001, Rule.Found(Ask.Starving()).Number("Exception: registered waits and the first due timer"));
    }

    [Fact]
    public void Where_only_injections_tell_it_says_how_late_they_were_at_most()
    {
        // Three items behind eight workers: no heartbeat proves a wait.
        var finding = Rule.Found(new PoolScript().Opening().CounterSamples(3).Repeat(3, s => s.StarvationAfter(1001)).Pass(500));
        Assert.Equal(1001, finding.Number("Registered waits and the first due timer were late by at most"));
    }

    [Fact]
    public void Where_nothing_tells_how_late_it_is_not_told()
    {
        Assert.Contains(JustCome().Report().Episodes, e => e is { ProvenWaitMs: 0 } && e.Kind.IsWait());
        Rule.Open(JustCome(), MissingKind.CounterSamples);
    }

    [Fact]
    public void On_Windows_sockets_go_first_and_before_net_7_timers_had_a_queue_of_their_own()
    {
        Rule.Found(OnWindows()).Number("registered waits, sockets and the first due timer");
        Rule.Found(BeforeNet7()).Value("Timers were late by at most");
        Rule.Found(Ask.Starving().Report().Known(t => t with { RuntimeVersion = "7.0.20" })).Number("and the first due timer run first");
    }

    [Fact]
    public void Waits_for_processors_and_short_waits_are_not_its_matter() => Rule.Clear(
        ("waits for processors", Ask.Busy()), ("short waits", new PoolScript().Opening().CounterSamples(3, 500, 0.3).Pass(4000)));

    // As a watch that was renewed has: the first injection has no progress before it, and no heartbeat proves a wait.
    static PoolScript JustCome() => new PoolScript().TargetThreads(8).CounterSamples(3).StarvationAfter(600);

    static PoolReport OnWindows() => Ask.Starving().Report().Known(t => t with { Os = "Windows" });

    static PoolReport BeforeNet7() => Ask.Starving().Report().Known(t => t with { RuntimeVersion = "6.0.36" });
}
