using Tpwatch.Reports;

namespace Tpwatch.Tests.Reporting;

/// <summary>Limits that were read from the memory count as those of an event, and move nothing.</summary>
public sealed class InsideLimitsSourceTests
{
    [Fact]
    public void Limits_read_from_memory_are_known_from_then_on()
    {
        var script = new PoolScript().Processors(8).CounterSamples(90).Pass(3000);
        Assert.Equal(SourcedValue.Unknown, script.Report().Timeline.Target.MaxWorkers);

        var target = script.Read(8, 64).Pass(1000).Report().Timeline.Target;

        Assert.Equal(new(8, SettingSource.Memory), target.MinWorkers);
        Assert.Equal(new(64, SettingSource.Memory), target.MaxWorkers);
    }

    [Fact]
    public void Limits_read_from_memory_do_not_move_the_target_thread_count()
    {
        var script = new PoolScript().Processors(8).Limits(8, 64).Ramp(8).GateBegins()
            .CounterSamples(90).Repeat(2, s => s.StarvationAfter(1001));
        var before = script.Report().Timeline.Levels.TargetThreads;

        Assert.Equal(before, script.Read(20, 64).Report().Timeline.Levels.TargetThreads);
        Assert.Equal(new(64, SettingSource.Event), script.Report().Timeline.Target.MaxWorkers);
        Assert.Equal(new(20, SettingSource.Memory), script.Report().Timeline.Target.MinWorkers);
    }

    [Fact]
    public void A_pool_at_a_max_that_was_read_is_at_its_max_for_sure()
    {
        var script = new PoolScript().Processors(8).Ramp(8).GateBegins()
            .CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001)).Read(8, 11)
            .Pass(9000);

        Assert.Equal(Verdict.StarvedAtMax, script.Report().Verdict);
        Assert.Contains(script.Report().Findings, f => f.Id == "TPW005" && f.Confidence == Confidence.High);
    }
}
