using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Findings;

namespace Tpwatch.Tests.Reporting;

/// <summary>Synthesised: what the scheduler said of the threads while items waited, as a share of that time.</summary>
public sealed class CpuContentionTests
{
    [Theory]
    [InlineData(HindranceKind.ProcessorWait, 0.9, Verdict.Saturated)]
    [InlineData(HindranceKind.ProcessorWait, 0.6, Verdict.Starved)]
    [InlineData(HindranceKind.Throttled, 0.4, Verdict.Starved)]
    public void Threads_that_are_ready_all_the_time_and_run_seldom_saturate_what_others_leave(
        HindranceKind kind, double share, Verdict expected)
    {
        var told = CpuContention.Told(Hindered(kind, share));

        Assert.Equal((expected, expected), (told.Verdict, told.Episodes[0].Kind));
    }

    [Theory]
    [InlineData(BlockKind.Lock, Verdict.Starved)]
    [InlineData(BlockKind.Cpu, Verdict.Saturated)]
    public void Stacks_are_heard_first(BlockKind kind, Verdict expected)
    {
        var report = Hindered(HindranceKind.ProcessorWait, 0.9) with { Blockers = [new("Shop.Cart.Pay", 1, 10, kind, ["Shop.Cart.Pay"])] };

        Assert.Equal(expected, CpuContention.Told(report).Verdict);
    }

    static PoolReport Hindered(HindranceKind kind, double share)
    {
        var report = Ask.Starving().Report();
        var span = report.Episodes[0].Span;
        return report with { Timeline = report.Timeline with { Hindrances = [new(span, kind, span.Ms * share)] } };
    }
}
