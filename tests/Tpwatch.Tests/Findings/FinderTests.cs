using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

/// <summary>The rules of starvation itself, and what holds of all of them.</summary>
public sealed class FinderTests
{
    [Fact]
    public void Starvation_is_found_with_its_numbers()
    {
        var finding = new Tpw001Starvation().Found(Ask.Starving());

        Assert.Equal(("TPW001", Severity.Serious, Confidence.High), (finding.Id, finding.Severity, finding.Confidence));
        Assert.Equal([3, 3, 1001, 2, 90], finding.Evidence.Select(e => Math.Round(e.Value!.Value, 1)));
        Assert.All(finding.Evidence, e => Assert.NotEmpty(e.Source));
        Assert.EndsWith("added one thread about every ", finding.Evidence[2].Text + finding.Evidence[2].Joint, StringComparison.Ordinal);
        Assert.EndsWith("3 threads, at most one per 500 ms, while work items waited.", finding.Headline, StringComparison.Ordinal);
        Assert.Equal(
            "ThreadPool.SetMinThreads(120, 8), or \"System.Threading.ThreadPool.MinThreads\": 120 in runtimeconfig.json, "
            + "or DOTNET_ThreadPool_ForceMinWorkerThreads=0x78 (hexadecimal for 120)",
            finding.Remedies[^1].Setting);
    }

    [Fact]
    public void A_single_injection_is_a_warning_and_none_with_an_empty_queue()
    {
        var one = new Tpw001Starvation().Found(Ask.Quiet().CounterSamples(3).StarvationAfter(5000).Pass(900));
        Assert.Equal((Severity.Warning, "The pool added 1 thread while work items waited."), (one.Severity, one.Headline));
        // Of the first one after a late attach nobody knows how long it took.
        Assert.Null(new Tpw001Starvation().Found(new PoolScript().Processors(8).CounterSamples(90).StarvationAfter(700).Pass(900))
            .Value("Injection delays as expected"));
        new Tpw001Starvation().Clear(Ask.Quiet().StarvationAfter(5000).Pass(2000));
    }

    /// <summary>How sure it is that work waited for an injection depends on the heartbeats beside it.</summary>
    [Fact]
    public void An_injection_is_certain_with_its_own_heartbeats_alone()
    {
        static PoolScript Waiting() => new PoolScript().Opening(2).CounterSamples(50).Pass(3000);
        Assert.Equal(Confidence.High, new Tpw001Starvation().Found(Waiting().StarvationAfter(3503).Pass(2000)).Confidence);
        Assert.Equal(Confidence.Medium, new Tpw001Starvation()
            .Found(Waiting().NoBeats().StarvationAfter(3503).Pass(2000).CounterSample(50, 0, 3, 0.02)).Confidence);
    }

    [Theory]
    [InlineData("System.Threading.ThreadPool.Blocking.CooperativeBlocking", "false", SettingSource.Runtimeconfig, 10, true)]
    [InlineData("System.Threading.ThreadPool.Blocking.CooperativeBlocking", "true", SettingSource.Runtimeconfig, 10, false)]
    [InlineData("DOTNET_ThreadPool_CooperativeBlocking", "0", SettingSource.Environment, 11, true)]
    [InlineData("DOTNET_ThreadPool_CooperativeBlocking", "0", SettingSource.Environment, 10, false)]
    public void A_setting_that_switches_compensation_off_is_to_be_removed(
        string name, string value, SettingSource source, int runtime, bool isTold)
    {
        var report = Ask.Starving().Report().Set(name, value, source).Known(t => t with { RuntimeVersion = $"{runtime}.0.0" });

        Assert.Equal(isTold, new Tpw001Starvation().Found(report).Remedies.Any(r => r.Setting == $"remove {name}"));
    }

    [Fact]
    public void Sync_over_async_is_as_serious_as_what_it_causes_and_is_not_found_in_withdrawals()
    {
        var rule = new Tpw002SyncOverAsync();
        Assert.Equal([Severity.Note, Severity.Warning, Severity.Serious], ((PoolScript[])[Ask.Quiet().CooperativeAfter(3),
            Ask.Quiet().Repeat(3, s => s.CooperativeAfter(3)), Ask.Starving().CooperativeAfter(3)]).Select(s => rule.Found(s).Severity));
        rule.Clear(new PoolScript().Processors(8).Limits(8, 100)
            .AdjustAfter(1, 20, AdjustmentReason.Warmup, 1).CounterSamples(0).WithdrawTo(16).Pass(3000));
    }

    [Fact]
    public void One_step_beside_five_injections_is_a_note_unless_stacks_show_threads_at_a_task()
    {
        var rule = new Tpw002SyncOverAsync();
        var beside = Ask.Starving().Repeat(2, s => s.StarvationAfter(1001)).CooperativeAfter(3).Report();
        var alone = At(Ask.Starving());
        Assert.Equal((Severity.Note, Severity.Serious), (rule.Found(beside).Severity, rule.Found(At(beside)).Severity));
        Assert.Equal((alone.Since, alone.Timeline.Now), (rule.Found(alone).From, rule.Found(alone).To));
        Assert.Contains(": 90% of the stack samples are in ", rule.Found(alone).Headline, StringComparison.Ordinal);

        static PoolReport At(PoolReport report) => report with { Blockers = [new("Shop.Load", 0.9, 8, BlockKind.Task, ["Shop.Load"])] };
    }

    /// <summary>Where more than half of the samples of the workers compute, other rules tell it.</summary>
    [Theory]
    [InlineData(0.5, true)]
    [InlineData(0.6, false)]
    public void Workers_that_compute_are_not_told_as_blocked(double computing, bool isTold)
    {
        var report = Ask.Starving().Report() with
        {
            Blockers = [new("Shop.Sum", computing, 4, BlockKind.Cpu, []), new("Shop.Load", 1 - computing, 4, BlockKind.Sleep, [])],
        };
        Assert.Equal(isTold, new Tpw001Starvation().Look(report) is FindingRuleAnswer.Found);
    }

    /// <summary>Where max is not known it is only probable that the rises ended there.</summary>
    [Theory]
    [InlineData(null, " for these task waits, probably up to MaxThreads.")]
    [InlineData(8, " for these task waits up to MaxThreads.")]
    public void Rises_for_task_waits_that_end_at_max_are_told_as_far_as_max_is_known(int? max, string said)
    {
        var report = Ask.Starving().CooperativeAfter(3).Report() with { Verdict = Verdict.StarvedAtMax };
        Assert.EndsWith(said, new Tpw002SyncOverAsync().Found(
            report.Known(t => t with { MaxWorkers = new(max, SettingSource.Event) })).Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Calls_that_hold_a_tenth_of_the_samples_are_evidence()
    {
        var report = Ask.Starving().Report() with { Blockers = [new("Shop.Pay", 0.1, 1, BlockKind.Sleep, ["Shop.Pay"])] };
        Assert.Equal(10, new Tpw001Starvation().Found(report).Number("Stack samples of worker threads in "));
    }

    [Fact]
    public void Calls_that_hold_hardly_a_thread_are_no_evidence()
    {
        var report = Ask.Starving().Report() with
        {
            Blockers = [new("Shop.Load", 0.9, 8, BlockKind.Sleep, ["Shop.Load"]), new("Shop.Pay", 0.05, 1, BlockKind.Sleep, ["Shop.Pay"])],
        };
        Assert.Equal(90, new Tpw001Starvation().Found(report).Number("Stack samples of worker threads in "));
        Assert.Contains("of the stack samples of busy worker threads are in this call",
            new Tpw001Starvation().Found(report).Remedies[0].Text, StringComparison.Ordinal);
    }

    /// <summary>Each wait of more than a second by its rate; none is proven.</summary>
    [Theory]
    [InlineData(1, Verdict.Healthy)]
    [InlineData(2, Verdict.Undecided)]
    public void One_heartbeat_with_a_long_queue_is_no_sign_and_two_leave_it_undecided(int beats, Verdict verdict) => Assert.Equal(verdict,
        new PoolScript().Opening().CounterSamples(0, 20).Pass(5000).CounterSamples(25, 20).Pass(1000 * beats).Report().Verdict);

    [Fact]
    public void Silent_starvation_is_found_with_the_wait_it_proves()
    {
        var finding = new Tpw003UndetectedStarvation().Found(Ask.Undetected());

        Assert.Equal(("TPW003", Severity.Serious), (finding.Id, finding.Severity));
        Assert.Equal([4000, 4000, 50], finding.Evidence.Select(e => e.Value));
        Assert.Equal(Confidence.High, finding.Confidence);
        var lossy = new PoolScript().Opening(2).Pass(50).Lose().CounterSamples(50, 2).Pass(6000);
        Assert.Equal(Confidence.Medium, new Tpw003UndetectedStarvation().Found(lossy).Confidence);
    }

    [Fact]
    public void A_quiet_pool_is_clear_of_everything_but_what_its_requests_would_tell()
    {
        var quiet = Ask.Quiet().Report();
        var report = FindingRuleSet.Ask(quiet with
        {
            Timeline = quiet.Timeline with { Process = new(quiet.Timeline.Now, 1000, Stopped: false) },
        });

        Assert.Equal(FindingRuleSet.All.Select(r => r.Id).Except(["TPW019"]), report.Clear);
        Assert.Empty(report.Findings);
        Assert.Equal("TPW019", Assert.Single(report.Undecided).Id);
    }

    /// <summary>Of a capture that lost events, and of one without two counter samples.</summary>
    [Fact]
    public void Each_rule_says_what_it_lacks()
    {
        Assert.Equal("TPW001 TPW002 TPW007 TPW008 TPW010 TPW011 TPW012 TPW013 TPW014 TPW016 TPW019",
            Lacking(Ask.Quiet().Lose().Pass(3000), MissingKind.LostEvents));
        Assert.Equal("TPW003 TPW004 TPW005 TPW006 TPW009 TPW010 TPW011 TPW016 TPW018 TPW019 TPW020 TPW021 TPW022",
            Lacking(new PoolScript().Opening().Pass(5000).WorkerSleeps(), MissingKind.CounterSamples));

        static string Lacking(PoolReport report, MissingKind kind) =>
            string.Join(' ', report.Undecided.Where(u => u.Kind == kind).Select(u => u.Id));
    }

    [Fact]
    public void What_is_found_stands_in_spite_of_loss()
    {
        Assert.Contains(Ask.Starving().Lose().Pass(2000).Report().Findings, f => f.Id == "TPW001");
    }

    [Fact]
    public void Findings_are_ordered_by_severity()
    {
        var findings = new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3)
            .Pass(2000).StarvationAfter(3000).Pass(900).Report().Findings;

        Assert.Equal(findings.OrderByDescending(f => f.Severity).Select(f => f.Id), findings.Select(f => f.Id));
        Assert.Superset(new HashSet<string> { "TPW001", "TPW002" }, findings.Select(f => f.Id).ToHashSet());
    }
}
