using Tpwatch.Ledger.Beats;
using Tpwatch.Reports;

namespace Tpwatch.Reporting;

/// <summary>
/// A late attach waits one idle time-out to tell workers that hang from idle ones; stacks tell at once,
/// since an idle worker's is the pool's own wait.
/// </summary>
static class HangSeen
{
    /// <summary>The report, told as held where its newest burst shows as many workers at work as there are processors, or more.</summary>
    public static PoolReport In(PoolReport report)
    {
        var timeline = report.Timeline;
        var atWork = report.Bursts is { Taken: [.., var last] } ? last.Workers : 0;
        return report.MayHang is null || report.Verdict != Verdict.Undecided || timeline.Now.MsSince(timeline.Start) < HeldTracker.HangsMs
            || !(atWork >= timeline.Target.Processors.Value)
            ? report
            : report with
            {
                Verdict = Verdict.Held,
                Episodes = [.. report.Episodes, new(new(timeline.Start, timeline.Now), Verdict.Held, Over: false, 0)],
                Since = timeline.Start,
                IsNow = true,
            };
    }
}
