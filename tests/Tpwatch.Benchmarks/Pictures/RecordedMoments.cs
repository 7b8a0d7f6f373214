using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Watch;

namespace Tpwatch.Benchmarks.Pictures;

/// <summary>What the screen knew at some moments of a recording, by event time: the same whenever and wherever it is read.</summary>
static class RecordedMoments
{
    /// <summary>
    /// A report for each moment, seconds since the start of the capture, in ascending order; after the end, the last one.
    /// </summary>
    public static async Task<IReadOnlyList<PoolReport>> ReadAsync(string recording, IReadOnlyList<double> seconds)
    {
        await using var session = RecordedSession.Open(recording);
        var fold = new PoolFold(session.Target, session.Source);
        var reports = new List<PoolReport>();
        EventTime? start = null;
        var sink = fold.Sink(at =>
        {
            start ??= at;
            while (reports.Count < seconds.Count && at.MsSince(start.Value) > seconds[reports.Count] * 1000)
            {
                reports.Add(fold.Report(SessionEnd.StillOpen));
            }
        });
        var end = session.Ended(new EventDecoder(session, ProbeSet.ForRecording()).Decode(new(session.Events), sink));
        while (reports.Count < seconds.Count)
        {
            reports.Add(fold.Report(end));
        }

        return reports;
    }

    /// <summary>The report at the end of a recording, with the stacks and items that lie beside it.</summary>
    public static async Task<PoolReport> EndAsync(string recording)
    {
        await using var replay = ThreadPoolWatch.Replay(recording, new WatchOptions());
        await replay.Completion;
        return replay.Report();
    }
}
