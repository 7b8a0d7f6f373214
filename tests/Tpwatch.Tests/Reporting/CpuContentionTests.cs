using System.Collections.Immutable;
using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Stacks;
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
        Assert.Equal(expected, Judged(kind, share, StackEvidence.None)[0].Kind);
    }

    [Theory]
    [InlineData(BlockKind.Lock, Verdict.Starved)]
    [InlineData(BlockKind.Cpu, Verdict.Saturated)]
    public void Stacks_are_heard_first(BlockKind kind, Verdict expected)
    {
        var stacks = new StackEvidence([new("Shop.Cart.Pay", 1, 10, kind, ["Shop.Cart.Pay"])], null, null);

        Assert.Equal(expected, Judged(HindranceKind.ProcessorWait, 0.9, stacks)[0].Kind);
    }

    static ImmutableArray<StarvedEpisode> Judged(HindranceKind kind, double share, StackEvidence stacks)
    {
        var report = Ask.Starving().Report();
        var span = report.Episodes[0].Span;
        return VerdictJudgement.WithoutProcessors(
            report.Timeline with { Hindrances = [new(span, kind, span.Ms * share)] }, report.InjectionDelays, report.Episodes, stacks);
    }
}
