using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Findings;

namespace Tpwatch.Tests.Reporting;

/// <summary>Synthesised: what the scheduler said of the threads while items waited, as a share of that time.</summary>
public sealed class CpuContentionTests
{
    /// <summary>Threads that are ready all the time and run seldom saturate what others leave; stacks are heard first.</summary>
    [Theory]
    [InlineData(HindranceKind.ProcessorWait, 0.9, null, Verdict.Saturated)]
    [InlineData(HindranceKind.ProcessorWait, 0.6, null, Verdict.Starved)]
    [InlineData(HindranceKind.Throttled, 0.4, null, Verdict.Starved)]
    [InlineData(HindranceKind.ProcessorWait, 0.9, BlockKind.Lock, Verdict.Starved)]
    [InlineData(HindranceKind.ProcessorWait, 0.9, BlockKind.Cpu, Verdict.Saturated)]
    public void Who_lacks_processors_is_saturated(HindranceKind kind, double share, BlockKind? stacks, Verdict expected)
    {
        var report = Ask.Starving().Report();
        var span = report.Episodes[0].Span;
        var seen = stacks is { } call
            ? new StackEvidence([new("Shop.Cart.Pay", 1, 10, call, ["Shop.Cart.Pay"])], null, null) : StackEvidence.None;
        var hindered = report.Timeline with { Hindrances = [new(span, kind, span.Ms * share)] };
        Assert.Equal(expected,
            VerdictJudgement.WithoutProcessors(hindered, report.InjectionDelays, report.Episodes, seen)[0].Kind);
    }
}
