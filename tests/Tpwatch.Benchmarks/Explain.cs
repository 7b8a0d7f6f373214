using System.Diagnostics;
using System.Globalization;
using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Watch;
using Tpwatch.Wording;

namespace Tpwatch.Benchmarks;

/// <summary>
/// What a look at a long watch costs: a recording's facts folded again and again until they fill fifteen minutes, then the snapshot that
/// the reading thread publishes on every batch, and the report that a screen asks for on every redraw.
/// </summary>
static class Explain
{
    const double WantedMs = 15 * 60_000;
    const int Looks = 200;

    /// <summary>A snapshot and its report, milliseconds: a twentieth of the time between two redraws.</summary>
    const double MostMs = 5;

    public static async Task<int> RunAsync(string[] args)
    {
        var names = args.Length > 0 ? args : ["pool-burst", "sync-over-async", "trickle", "capped-blocking", "ceiling"];
        var goals = new Goals();
        foreach (var name in names)
            goals.AtMost($"explaining {name}, ms a snapshot", await MeasureAsync(name), MostMs);
        return goals.Conclude();
    }

    static async Task<double> MeasureAsync(string name)
    {
        await using var session = RecordedSession.Open(Path.Combine(BuiltPrograms.Root, "tests", "Recordings", name + ".nettrace"));
        var facts = new RepeatedFacts();
        new EventDecoder(session, ProbeSet.ForRecording()).Decode(new(session.Events), facts);
        var fold = new PoolFold(session.Target, SessionSource.Recording);
        var times = (int)Math.Ceiling(WantedMs / facts.LengthMs);
        var folds = Fold(facts, times, fold);

        var (snapshots, snapshotBytes) = Time(() => (fold.Timeline.Snapshot(), fold.Ledger.Snapshot(), fold.Forecast.Snapshot()));
        var (seen, accounted, foretold) = (fold.Timeline.Snapshot(), fold.Ledger.Snapshot(), fold.Forecast.Snapshot());
        var (reports, reportBytes) = Time(() => ReportBuilder.Build(seen, accounted, SessionEnd.StillOpen, foretold));
        Console.WriteLine($"{name}, {Format.Duration(times * facts.LengthMs)}, {Format.Count(times * facts.Count)} facts, "
            + $"{Format.Count(accounted.InjectionDelays.Length)} gaps");
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"  fold a fact   p50 {folds.Median:0.000} ms, p99 {folds.Percentile(0.99):0.000} ms, max "
                + $"{folds.Most:0.000} ms: timeline, ledger and forecast"));
        Console.WriteLine(FormattableString.Invariant(
            $"  snapshot      p50 {snapshots.Median:0.000} ms, max {snapshots.Most:0.000} ms, {snapshotBytes / 1024} kB"));
        Console.WriteLine(FormattableString.Invariant(
            $"  report        p50 {reports.Median:0.000} ms, max {reports.Most:0.000} ms, {reportBytes / 1024} kB"));
        Console.WriteLine(FormattableString.Invariant(
            $"  explaining    p50 {snapshots.Median + reports.Median:0.000} ms a snapshot (goal: at most {MostMs:0})"));
        return snapshots.Median + reports.Median;
    }

    /// <summary>How long each fact took; heartbeats are the long ones, since the forecast is made with them.</summary>
    static Spread Fold(RepeatedFacts facts, int times, PoolFold fold)
    {
        var taken = new List<double>();
        var stamp = Stopwatch.GetTimestamp();
        var all = fold.Sink(_ => taken.Add(Elapsed(ref stamp)));
        facts.Open(all);
        for (var i = 0; i < times; i++)
            facts.HandOn(all, i * facts.LengthMs);
        return new(taken.Skip(2));
    }

    static double Elapsed(ref long stamp)
    {
        var ms = Stopwatch.GetElapsedTime(stamp).TotalMilliseconds;
        stamp = Stopwatch.GetTimestamp();
        return ms;
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
