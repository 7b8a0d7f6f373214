using System.Collections.Immutable;
using Tpwatch.Reports;
using Tpwatch.Tests.Render;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Reporting;

/// <summary>What goes on is told in the present, what is over in the past: nobody must act on an incident that has ended.</summary>
public sealed class PastHeadlineTests
{
    [Theory]
    [InlineData(Verdict.Wedged, true, "Work items wait, no worker thread takes one, and the pool adds none.")]
    [InlineData(Verdict.Wedged, false, "The problem is over now. Work items waited, no worker thread dequeued one, and the pool added "
        + "no thread.")]
    [InlineData(Verdict.Held, true, "Work has been hanging since")]
    [InlineData(Verdict.Held, true, "worker threads are busy and complete no item; the queue is empty.")]
    [InlineData(Verdict.Held, false, "Work hung for")]
    [InlineData(Verdict.Held, false, "worker threads were busy and completed no item; the queue was empty.")]
    [InlineData(Verdict.StarvedAtMax, true, "Every worker thread is busy, and MaxThreads")]
    [InlineData(Verdict.StarvedAtMax, false, "The problem is over now. Every worker thread was busy, and MaxThreads")]
    [InlineData(Verdict.Saturated, true, "Work has waited for processors since")]
    [InlineData(Verdict.Saturated, false, "Work waited for processors for")]
    public void What_is_over_is_told_in_the_past(Verdict verdict, bool isNow, string told) =>
        Assert.Contains(told, HeadlineWords.Of(Judged(verdict, isNow)), StringComparison.Ordinal);

    [Theory]
    [InlineData(true, "Worker threads wait for tasks, and the pool adds threads for them too slowly.")]
    [InlineData(false, "The problem is over now. Worker threads waited for tasks, and the pool added threads for them too slowly.")]
    public void So_are_waits_for_tasks(bool isNow, string told)
    {
        var counts = ImmutableSortedDictionary<AdjustmentReason, int>.Empty.Add(AdjustmentReason.CooperativeBlocking, 5);

        Assert.Contains(told, HeadlineWords.Of(Judged(Verdict.Starved, isNow) with { Adjustments = counts }), StringComparison.Ordinal);
    }

    /// <summary>Two work items that wait for each other's lock, in a pool that has nothing else: events prove no hang of so few.</summary>
    [Fact]
    public void Workers_that_are_seen_in_a_call_had_something_to_do()
    {
        var idle = new PoolScript().Processors(8).Limits(8, 32767).CounterSamples(0).Pass(4000).Report();
        Blocker first = new("Shop.Transfer.Move", 1, 2, BlockKind.Lock, []) { Brief = "Transfer.Move", Call = "Monitor.Enter" };

        Assert.Contains("had nothing to do", HeadlineWords.Of(idle), StringComparison.Ordinal);
        Assert.EndsWith("But 2 worker threads were in Transfer.Move > Monitor.Enter. If they stay there, their work items hang.",
            HeadlineWords.Of(idle with { Blockers = [first] }), StringComparison.Ordinal);
        Assert.EndsWith("But 1 worker thread was in Transfer.Move > Monitor.Enter. If it stays there, its work item hangs.",
            HeadlineWords.Of(idle with { Blockers = [first with { Threads = 1 }] }), StringComparison.Ordinal);
        Assert.Contains("3 worker threads hold items that have not ended.",
            HeadlineWords.Of(idle with { Inside = new() { At = new(0), Limits = new(8, 32767, 3, 0) } }), StringComparison.Ordinal);
        Assert.Contains("had nothing to do", HeadlineWords.Of(idle with { Blockers = [first with { IsParked = true }] }),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(12, true, "Every worker thread is busy, and MaxThreads (12) allows no more.")]
    [InlineData(null, true, "Every worker thread is busy, and MaxThreads is probably reached (50 threads).")]
    [InlineData(null, false, "Every worker thread was busy, and MaxThreads was probably reached (50 threads).")]
    public void A_max_that_nobody_saw_is_probably_reached(int? max, bool isNow, string told)
    {
        var report = Judged(Verdict.StarvedAtMax, isNow);
        var seen = report.Timeline;

        Assert.Contains(told, HeadlineWords.Of(report with
        {
            Timeline = seen with
            {
                Target = seen.Target with { MaxWorkers = max is { } known ? new(known, SettingSource.Event) : SourcedValue.Unknown },
                Levels = seen.Levels with { Workers = 50 },
            },
        }), StringComparison.Ordinal);
    }

    static PoolReport Judged(Verdict verdict, bool isNow)
    {
        var report = SampleReports.Starved();
        return report with { Verdict = verdict, IsNow = isNow, Episodes = [.. report.Episodes.Select(e => e with { Kind = verdict })] };
    }
}
