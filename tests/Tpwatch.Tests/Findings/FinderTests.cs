using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

/// <summary>Each rule with its three answers: found, clear, undecided and what would decide it.</summary>
public sealed class FinderTests
{
    [Fact]
    public void Starvation_is_found_with_its_numbers()
    {
        var finding = Found(new Tpw001Starvation(), Starving());

        Assert.Equal(("TPW001", Severity.Serious, Confidence.High), (finding.Id, finding.Severity, finding.Confidence));
        Assert.Equal([3, 3, 1001, 2, 90], finding.Evidence.Select(e => Math.Round(e.Value!.Value, 1)));
        Assert.StartsWith("The pool added 3 threads, at most one per 500 ms, while", finding.Headline, StringComparison.Ordinal);
        Assert.All(finding.Evidence, e => Assert.NotEmpty(e.Source));
    }

    [Fact]
    public void A_single_injection_is_a_warning()
    {
        Assert.Equal(Severity.Warning, Found(new Tpw001Starvation(), Quiet().CounterSamples(3).StarvationAfter(5000).Pass(900)).Severity);
    }

    [Fact]
    public void An_injection_with_an_empty_queue_is_no_starvation()
    {
        Assert.IsType<FindingRuleAnswer.Clear>(new Tpw001Starvation().Look(Quiet().StarvationAfter(5000).Pass(2000).Report()));
    }

    [Fact]
    public void The_stopgap_gives_the_worker_count_in_all_three_spellings()
    {
        var remedy = Found(new Tpw001Starvation(), Starving()).Remedies[^1];

        Assert.Equal(
            "ThreadPool.SetMinThreads(120, 8), or \"System.Threading.ThreadPool.MinThreads\": 120 in runtimeconfig.json, "
            + "or DOTNET_ThreadPool_ForceMinWorkerThreads=0x78 (hexadecimal for 120)",
            remedy.Setting);
    }

    [Theory]
    [InlineData("System.Threading.ThreadPool.Blocking.CooperativeBlocking", "false", SettingSource.Runtimeconfig, 10, true)]
    [InlineData("System.Threading.ThreadPool.Blocking.CooperativeBlocking", "true", SettingSource.Runtimeconfig, 10, false)]
    [InlineData("DOTNET_ThreadPool_CooperativeBlocking", "0", SettingSource.Environment, 11, true)]
    [InlineData("DOTNET_ThreadPool_CooperativeBlocking", "0", SettingSource.Environment, 10, false)]
    public void A_setting_that_switches_compensation_off_is_to_be_removed(
        string name, string value, SettingSource source, int runtime, bool isTold)
    {
        var report = Starving().Report().Set(name, value, source).Known(t => t with { RuntimeVersion = $"{runtime}.0.0" });

        Assert.Equal(isTold, new Tpw001Starvation().Found(report).Remedies.Any(r => r.Setting == $"remove {name}"));
    }

    [Fact]
    public void Sync_over_async_is_found_and_as_serious_as_what_it_causes()
    {
        Assert.Equal(Severity.Note, Found(new Tpw002SyncOverAsync(), Quiet().CooperativeAfter(3)).Severity);
        Assert.Equal(
            Severity.Warning,
            Found(new Tpw002SyncOverAsync(), Quiet().CooperativeAfter(3).CooperativeAfter(3).CooperativeAfter(3)).Severity);
        Assert.Equal(Severity.Serious, Found(new Tpw002SyncOverAsync(), Starving().CooperativeAfter(3)).Severity);
    }

    [Fact]
    public void Sync_over_async_is_not_found_in_withdrawals()
    {
        var script = new PoolScript().Processors(8).Limits(8, 100)
            .AdjustAfter(1, 20, AdjustmentReason.Warmup, 1).CounterSamples(0).WithdrawTo(16).Pass(3000);

        Assert.IsType<FindingRuleAnswer.Clear>(new Tpw002SyncOverAsync().Look(script.Report()));
    }

    [Fact]
    public void Silent_starvation_is_found_with_the_wait_it_proves()
    {
        var finding = Found(new Tpw003UndetectedStarvation(), new PoolScript().Opening(2).CounterSamples(50, 2).Pass(4000));

        Assert.Equal(("TPW003", Severity.Serious), (finding.Id, finding.Severity));
        Assert.Equal([4000, 4000, 50], finding.Evidence.Select(e => e.Value));
    }

    [Fact]
    public void A_quiet_pool_is_clear_of_everything_but_what_its_requests_would_tell()
    {
        var quiet = Quiet().Report();
        var report = FindingRuleSet.Ask(quiet with
        {
            Timeline = quiet.Timeline with { Process = new(quiet.Timeline.Now, 1000, Stopped: false) },
        });

        Assert.Equal(FindingRuleSet.All.Select(r => r.Id).Except(["TPW019"]), report.Clear);
        Assert.Empty(report.Findings);
        Assert.Equal("TPW019", Assert.Single(report.Undecided).Id);
    }

    [Fact]
    public void After_loss_no_rule_that_looks_for_adjustments_is_clear()
    {
        var report = Quiet().Lose().Pass(3000).Report();

        Assert.Superset(new HashSet<string> { "TPW001", "TPW002", "TPW007", "TPW008", "TPW012", "TPW013" },
            report.Undecided.Select(u => u.Id).ToHashSet());
        Assert.All(report.Undecided, u => Assert.Contains("lost", u.Missing, StringComparison.Ordinal));
    }

    [Fact]
    public void Without_a_heartbeat_silent_starvation_is_undecided_and_says_what_is_missing()
    {
        var undecided = Assert.Single(new PoolScript().Opening().Pass(5000).WorkerSleeps().Report().Undecided, u => u.Id == "TPW003");

        Assert.Contains("that takes two counter samples", undecided.Missing, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_found_stands_in_spite_of_loss()
    {
        Assert.Contains(Starving().Lose().Pass(2000).Report().Findings, f => f.Id == "TPW001");
    }

    [Fact]
    public void Findings_are_ordered_by_severity()
    {
        var findings = new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3)
            .Pass(2000).StarvationAfter(3000).Pass(900).Report().Findings;

        Assert.Equal(findings.OrderByDescending(f => f.Severity).Select(f => f.Id), findings.Select(f => f.Id));
        Assert.Superset(new HashSet<string> { "TPW001", "TPW002" }, findings.Select(f => f.Id).ToHashSet());
    }

    static Finding Found(IFindingRule rule, PoolScript script) =>
        Assert.IsType<FindingRuleAnswer.Found>(rule.Look(script.Report())).Finding;

    static PoolScript Starving() => new PoolScript().Opening().CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);

    static PoolScript Quiet() => new PoolScript().Opening().CounterSamples(0, 20).Pass(4000);
}
