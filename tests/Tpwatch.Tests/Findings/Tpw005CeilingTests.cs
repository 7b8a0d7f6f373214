using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw005CeilingTests
{
    const string Forced = "DOTNET_ThreadPool_ForceMaxWorkerThreads";

    static readonly Tpw005Ceiling Rule = new();

    internal static IEnumerable<PoolReport> Told => [AtTen(), AtTen(WaitsFor.QueuedItems), AtForced(), NeverAskedFor()];

    [Fact]
    public void Items_that_wait_at_max_are_found_and_the_stopgap_gives_a_larger_max_in_all_spellings()
    {
        var finding = Rule.Found(AtTen());

        Assert.Equal((Severity.Serious, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal(10, finding.Value("MaxThreads"));
        Assert.Equal(
            "ThreadPool.SetMaxThreads(20, 1000), or \"System.Threading.ThreadPool.MaxThreads\": 20 in runtimeconfig.json, "
            + "or DOTNET_ThreadPool_ForceMaxWorkerThreads=0x14 (hexadecimal for 20)", finding.Remedies[^1].Setting);
    }

    [Theory]
    [InlineData(WaitsFor.QueuedItems, false)]
    [InlineData(WaitsFor.Outside, true)]
    public void No_max_is_guessed_where_what_they_wait_for_needs_a_worker_itself(WaitsFor all, bool guessed) =>
        Assert.Equal(guessed, Rule.Found(AtTen(all)).Remedies[^1].Setting?.Contains("SetMaxThreads(20,", StringComparison.Ordinal) == true);

    [Fact]
    public void Where_the_environment_forces_max_a_call_is_not_offered()
    {
        var finding = Rule.Found(AtForced());

        Assert.DoesNotContain("SetMaxThreads", finding.Remedies[^1].Setting!, StringComparison.Ordinal);
        Assert.Equal(Forced, finding.Evidence[0].Source);
    }

    [Fact]
    public void The_larger_max_is_for_the_burst_or_twice_the_workers_that_exist()
    {
        var burst = new PoolScript().Processors(8).Limits(8, 10).CounterSamples(0).Pass(3000).Ramp(8).GateBegins().CounterSamples(35)
            .StarvationAfter(1001).CounterSamples(34).StarvationAfter(1001).CounterSamples(33).Pass(5000);
        var lowered = Rule.Found(new PoolScript().Processors(8).Limits(8, 10).Ramp(20).GateBegins().CounterSamples(60).Pass(9000));

        Assert.Contains("SetMaxThreads(50,", Rule.Found(burst).Remedies[^1].Setting, StringComparison.Ordinal);
        Assert.Contains("SetMaxThreads(40,", lowered.Remedies[^1].Setting, StringComparison.Ordinal);
        Assert.StartsWith("MaxThreads is 10 now, but 20 threads exist already.", lowered.Headline, StringComparison.Ordinal);
    }

    /// <summary>
    /// Twenty items a second end behind ten workers. Callers that wait for their answers send as many as end, so only more than twice the
    /// workers are taken for the demand.
    /// </summary>
    [Theory]
    [InlineData(10, 20)]
    [InlineData(30, 25)]
    public void The_larger_max_is_the_demand_where_that_is_far_above(int growsBy, int advised)
    {
        var queues = Enumerable.Range(1, 5).Select(second => 100L + (second * growsBy)).ToArray();
        Assert.Equal(advised, MaxThreadsRemedy.Advised(
            new PoolScript().Processors(8).Limits(8, 10).Ramp(10).GateBegins().CounterSample(100, 0, 10, 0.02).Queues(20, 10, queues), 10));
    }

    [Fact]
    public void Where_max_is_not_known_the_threads_are_told_that_exist_now() => Assert.StartsWith("All 10 worker threads are busy, ",
        Rule.Found((AtTen() with { MaxWorkers = 14 }).Known(t => t with { MaxWorkers = SourcedValue.Unknown })).Headline,
        StringComparison.Ordinal);

    [Fact]
    public void Waits_that_were_discarded_may_have_been_at_max() => Rule.Open(
        Ask.Undetected().Report() with { Evicted = 5 }, MissingKind.History);

    [Fact]
    public void A_max_that_the_pool_never_asked_for_is_a_note_without_a_setting()
    {
        var finding = Rule.Found(NeverAskedFor());

        Assert.Equal(Severity.Note, finding.Severity);
        Assert.All(finding.Remedies, r => Assert.Null(r.Setting));
    }

    [Fact]
    public void What_is_not_held_up_by_max_is_clear() => Rule.Clear(
        ("max reached with nothing waiting", new PoolScript().Processors(8).Limits(8, 8).Ramp(8).CounterSamples(0, 20).Pass(5000)),
        ("the default max", Ask.Undetected()),
        ("a pool that grew a moment ago", new PoolScript().Processors(8).TargetThreads(8).Ramp(8).GateBegins()
            .CounterSamples(60).Repeat(5, s => s.StarvationAfter(1001)).Pass(500)),
        ("standing still with the detector off", new PoolScript(target: new()
        {
            Pid = 1, Name = "x", RuntimeVersion = "10.0.1",
            Settings = [new("DOTNET_ThreadPool_DisableStarvationDetection", "1", SettingSource.Environment)],
        }).Processors(2).Ramp(2).CounterSamples(50, 2).Pass(5000)));

    [Fact]
    public void A_pool_that_stands_still_with_max_unknown_is_undecided() => Rule.Open(
        new PoolScript().Processors(2).Ramp(2).CounterSamples(50, 2).Pass(5000), MissingKind.Setting);

    static PoolReport AtTen(WaitsFor? all = null) => AtMax(new PoolScript().Processors(8).Limits(8, 10)).Report() with
    {
        Bursts = all is { } known ? new() { Taken = [], Samples = 0, PausedMs = 0, WaitsFor = known } : null,
    };

    static PoolScript AtForced() => AtMax(new PoolScript(target: new()
    {
        Pid = 1, Name = "x", RuntimeVersion = "10.0.1", MaxWorkers = new(10, SettingSource.Environment),
        Settings = [new(Forced, "A", SettingSource.Environment)],
    }).Processors(8).TargetThreads(8));

    static PoolScript NeverAskedFor() => new PoolScript().Processors(2).Limits(2, 10).Ramp(2).CounterSamples(50, 2).Pass(4000);

    static PoolScript AtMax(PoolScript script) =>
        script.Ramp(8).GateBegins().CounterSamples(60).Repeat(2, s => s.StarvationAfter(1001)).Pass(5000);
}
