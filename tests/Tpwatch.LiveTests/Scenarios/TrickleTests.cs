using System.Diagnostics;
using Tpwatch.Events.Facts;
using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>Silent starvation: the runtime's detector never fires, and it is found all the same.</summary>
public sealed class TrickleTests
{
    [Fact(Timeout = 120_000)]
    public async Task Silent_starvation_is_found_within_three_seconds_of_event_time()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "trickle", "--processors", "8", "--seconds", "12");
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, cancel);
        await ObservedRun.FirstHeartbeatAsync(watch, cancel);
        await target.BeginAsync();

        var (found, seenAt) = await FirstAsync(watch, Verdict.SilentlyStarved, cancel);
        await watch.Completion.WaitAsync(cancel);
        var run = new ObservedRun(watch.Report(), await target.TruthAsync(cancel));

        var begin = run.Truth.Items.Min(i => i.Enqueued);
        Assert.InRange(found.Timeline.Now.MsSince(ObservedRun.At(begin)), 0, 3000);
        Assert.InRange(Stopwatch.GetElapsedTime(begin, seenAt).TotalSeconds, 0, 4.5);
        Assert.Equal(Verdict.SilentlyStarved, run.Report.Verdict);
        Assert.DoesNotContain(AdjustmentReason.Starvation, run.Report.Adjustments.Keys);
        Assert.DoesNotContain(AdjustmentReason.CooperativeBlocking, run.Report.Adjustments.Keys);
        var silent = Assert.Single(run.Report.Gaps, g => g.Rule == GapRule.G3Silent);
        // The bound is a theorem: no proven wait is longer than the longest true one.
        var longest = run.Truth.Items.Max(i => run.Truth.Ms(i.Enqueued, i.Started ?? run.Truth.End.At));
        Assert.InRange(run.Report.Episodes.Max(e => e.ProvenWaitMs), 1000, longest);
        Assert.True(silent.ObservedMs > 5000, silent.Because);
    }

    static async Task<(PoolReport Report, long At)> FirstAsync(ThreadPoolWatch watch, Verdict verdict, CancellationToken cancel)
    {
        while (true)
        {
            var report = watch.Report();
            if (report.Verdict == verdict)
            {
                return (report, Stopwatch.GetTimestamp());
            }

            Assert.False(watch.Completion.IsCompleted, $"the run ended and the verdict is {report.Verdict}");
            await Task.Delay(20, cancel);
        }
    }
}
