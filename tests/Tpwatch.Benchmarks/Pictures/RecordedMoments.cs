using Tpwatch.Attach;
using Tpwatch.Events;
using Tpwatch.Explain;
using Tpwatch.Explain.Forecast;
using Tpwatch.Explain.Gaps;
using Tpwatch.Explain.Policies;
using Tpwatch.Timeline;

namespace Tpwatch.Benchmarks.Pictures;

/// <summary>What the screen knew at some moments of a recording, by event time: the same whenever and wherever it is read.</summary>
internal static class RecordedMoments
{
    /// <summary>A report for each moment, seconds since the start of the capture, in ascending order; after the end, the last one.</summary>
    public static async Task<IReadOnlyList<PoolReport>> ReadAsync(string recording, IReadOnlyList<double> seconds)
    {
        await using var session = RecordedSession.Open(recording);
        var policy = new PortablePolicy();
        var (timeline, ledger) = (new PoolTimeline(session.Target, session.Source), new GapLedger(session.Target, policy));
        var forecast = new ForecastTracker(ledger, policy);
        var reports = new List<PoolReport>();
        EventTime? start = null;
        PoolReport Now(SessionEnd end) => ReportBuilder.Build(timeline.Snapshot(), ledger.Snapshot(), end, forecast.Snapshot());
        var sink = new FactFanOut(
            at =>
            {
                start ??= at;
                while (reports.Count < seconds.Count && at.MsSince(start.Value) > seconds[reports.Count] * 1000)
                {
                    reports.Add(Now(SessionEnd.StillOpen));
                }
            },
            timeline, ledger, forecast);
        var end = session.Ended(new EventDecoder(session, ProbeSet.ForRecording()).Decode(session.Events, sink));
        while (reports.Count < seconds.Count)
        {
            reports.Add(Now(end));
        }

        return reports;
    }
}
