using System.Diagnostics;
using Tpwatch.Attach;
using Tpwatch.Events;
using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;
using Tpwatch.Explain.Policies;
using Tpwatch.Timeline;

namespace Tpwatch.Benchmarks;

/// <summary>
/// What a look at a long watch costs: a recording's facts folded again and again until they fill fifteen minutes, then the snapshot that
/// the reading thread publishes on every batch, and the report that a screen asks for on every redraw.
/// </summary>
static class Explain
{
    const double WantedMs = 15 * 60_000;
    const int Looks = 200;

    public static async Task<int> RunAsync(string[] args)
    {
        string[] names = args.Length > 0 ? args : ["pool-burst", "sync-over-async", "trickle"];
        foreach (var name in names)
            await MeasureAsync(name);
        return 0;
    }

    static async Task MeasureAsync(string name)
    {
        await using var session = RecordedSession.Open(Path.Combine(BuiltPrograms.Root, "tests", "Recordings", name + ".nettrace"));
        var facts = new RepeatedFacts();
        new EventDecoder(session, ProbeSet.ForRecording()).Decode(session.Events, facts);
        var (timeline, ledger) = (new PoolTimeline(session.Target, SessionSource.Recording), new GapLedger(session.Target, new PortablePolicy()));
        var times = (int)Math.Ceiling(WantedMs / facts.LengthMs);
        var stamp = Stopwatch.GetTimestamp();
        Fold(facts, times, timeline, ledger);
        var foldUs = Stopwatch.GetElapsedTime(stamp).TotalMicroseconds / (times * facts.Count);

        var (snapshots, snapshotBytes) = Time(() => (timeline.Snapshot(), ledger.Snapshot()));
        var (seen, accounted) = (timeline.Snapshot(), ledger.Snapshot());
        var (reports, reportBytes) = Time(() => ReportBuilder.Build(seen, accounted, SessionEnd.StillOpen));
        Console.WriteLine($"{name}, {Format.Duration(times * facts.LengthMs)}, {Format.Count(times * facts.Count)} facts, {Format.Count(accounted.Gaps.Length)} gaps");
        Console.WriteLine(FormattableString.Invariant($"  fold a fact   {foldUs:0.0} us, ledger and timeline together"));
        Console.WriteLine(FormattableString.Invariant($"  snapshot      p50 {snapshots.Median:0.000} ms, max {snapshots.Most:0.000} ms, {snapshotBytes / 1024} kB"));
        Console.WriteLine(FormattableString.Invariant($"  report        p50 {reports.Median:0.000} ms, max {reports.Most:0.000} ms, {reportBytes / 1024} kB"));
    }

    static void Fold(RepeatedFacts facts, int times, params IFactSink[] sinks)
    {
        foreach (var sink in sinks)
        {
            facts.Open(sink);
            for (var i = 0; i < times; i++)
                facts.HandOn(sink, i * facts.LengthMs);
        }
    }

    static (Spread Ms, long Bytes) Time<T>(Func<T> look)
    {
        var allocated = GC.GetAllocatedBytesForCurrentThread();
        var times = Enumerable.Range(0, Looks).Select(_ =>
        {
            var stamp = Stopwatch.GetTimestamp();
            GC.KeepAlive(look());
            return Stopwatch.GetElapsedTime(stamp).TotalMilliseconds;
        }).ToArray();
        return (new Spread(times), (GC.GetAllocatedBytesForCurrentThread() - allocated) / Looks);
    }
}
