using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

/// <summary>Which hangs become the verdict: those long enough in a process that has ended, and those that no stacks refute.</summary>
public sealed class HangJudgementTests
{
    /// <summary>Half a minute is the usual time-out of a call; what ended sooner was a long item.</summary>
    [Theory]
    [InlineData(29_999, Verdict.Healthy)]
    [InlineData(30_000, Verdict.Held)]
    public void A_hang_that_has_ended_with_the_process_is_told_from_half_a_minute_on(double ms, Verdict verdict) =>
        Assert.Equal(verdict, Judge(0, ms, over: true, SessionEnd.TargetExited, StackEvidence.None));

    /// <summary>Workers that wait for work are no hang, where the stacks are of this hang and not of before it.</summary>
    [Theory]
    [InlineData(4000, Verdict.Held)]
    [InlineData(6000, Verdict.Healthy)]
    public void Stacks_of_workers_that_wait_for_work_refute_a_hang_that_they_were_taken_in(double takenAt, Verdict verdict)
    {
        StackBursts bursts = new()
        {
            Taken = [new(new PoolScript().Origin.PlusMs(takenAt), 30, 8)], Samples = 240, PausedMs = 30, WaitsFor = WaitsFor.Unknown,
            Parked = 8,
        };
        Assert.Equal(verdict, Judge(5000, 15_000, over: false, SessionEnd.StillOpen, new(null, bursts, null)));
    }

    [Fact]
    public void What_comes_and_goes_began_with_its_first_episode()
    {
        var script = new PoolScript().Opening().CounterSamples(0, 20).Pass(40_000);
        var judged = Judge(script, SessionEnd.StillOpen, StackEvidence.None,
            Episode(script, 1000, 3000, Verdict.Starved, over: true), Episode(script, 9000, 9000, Verdict.Starved, over: false));
        Assert.Equal((Verdict.Starved, script.Origin.PlusMs(1000)), (judged.Verdict, judged.Since));
    }

    static Verdict Judge(double from, double ms, bool over, SessionEnd end, StackEvidence stacks)
    {
        var script = new PoolScript().Opening().CounterSamples(0, 20).Pass(40_000);
        return Judge(script, end, stacks, Episode(script, from, ms, Verdict.Held, over)).Verdict;
    }

    static VerdictJudgement Judge(PoolScript script, SessionEnd end, StackEvidence stacks, params StarvedEpisode[] episodes) =>
        VerdictJudgement.Of(script.Timeline.Snapshot(), script.Ledger.Snapshot() with { Episodes = [.. episodes] }, end, stacks);

    static StarvedEpisode Episode(PoolScript script, double from, double ms, Verdict kind, bool over) =>
        new(new(script.Origin.PlusMs(from), script.Origin.PlusMs(from + ms)), kind, over, 0);
}
