using System.Globalization;
using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Scoring.Readings;
using Tpwatch.Scoring.Runs;
using Tpwatch.Scoring.Scores;
using Tpwatch.Scoring.Truths;
using Tpwatch.Watch;

namespace Tpwatch.Scoring.Recorded;

/// <summary>A run that was stored: its stream read once more by the engine as it is now, beside the record of what happened.</summary>
/// <param name="LoadBefore">The machine's load of the last minute before it began; null where the system does not tell.</param>
sealed record RecordedRun(RunPlan Plan, string File, ObservedRun Run, ImmutableArray<Reading> Readings, double? LoadBefore)
{
    /// <summary>Reads a stored run.</summary>
    /// <param name="folder">Where recordings lie.</param>
    /// <param name="name">The run's name.</param>
    public static async Task<RecordedRun> ReadAsync(string folder, string name)
    {
        var file = FileOf(folder, name);
        var truth = StoredTruthFile.Read(StoredTruthFile.PathFor(file));
        var readings = ImmutableArray.CreateBuilder<Reading>();
        var report = await FoldAsync(file, truth.Delivered, readings);
        return new(RunMatrix.Of(name), file, new(report, truth.Run), readings.ToImmutable(), truth.LoadBefore);
    }

    /// <summary>When somebody could first read a report of which something holds; null when never.</summary>
    public static async Task<EventTime?> FirstReadAsync(string folder, string name, Func<PoolReport, bool> holds)
    {
        var file = FileOf(folder, name);
        EventTime? first = null;
        await using var session = RecordedSession.Open(file);
        var fold = new PoolFold(session.Target, SessionSource.Recording);
        var delivered = StoredTruthFile.Read(StoredTruthFile.PathFor(file)).Delivered;
        var stream = new DeliveredStream(session.Events, delivered, at => first ??= holds(fold.Report(SessionEnd.StillOpen)) ? at : null);
        new EventDecoder(session, ProbeSet.ForRecording()).Decode(new(stream), fold.Sink());
        return first;
    }

    /// <summary>Names of all stored runs, in order.</summary>
    public static ImmutableArray<string> Names(string folder) =>
        [.. Directory.GetFiles(folder, "*" + Ending)
            .Select(file => Path.GetFileName(file)[..^Ending.Length]).Order(StringComparer.Ordinal)];

    public static string FileOf(string folder, string name) => Path.Combine(folder, name + Ending);

    public Task<RunScore> ScoreAsync() => RunScore.OfAsync(Run, Plan, Readings, File);

    const string Ending = ".nettrace";

    /// <summary>
    /// The engine is given no more of the stream than had come by each moment, so that what could
    /// be read then is known beside the end's report.
    /// </summary>
    static async Task<PoolReport> FoldAsync(string recording, ImmutableArray<Delivery> delivered, ImmutableArray<Reading>.Builder readings)
    {
        await using var session = RecordedSession.Open(recording);
        var fold = new PoolFold(session.Target, SessionSource.Recording);
        var stream = new DeliveredStream(session.Events, delivered, at => readings.Add(new(at, fold.Forecast.Snapshot())));
        return fold.Report(session.Ended(new EventDecoder(session, ProbeSet.ForRecording()).Decode(new(stream), fold.Sink())));
    }
}

/// <summary>The section of tests/SCORES.md about the stored runs: the same every time, so that a test can compare it.</summary>
static class RecordedScores
{
    /// <summary>Seven tenths of each of the two processors on which the runs were made.</summary>
    const double BusyLoad = 1.4;

    public static string Section(IReadOnlyCollection<RecordedRun> runs, IReadOnlyDictionary<string, RunScore> scores)
    {
        RunScore[] Of(Func<RecordedRun, bool> which) => [.. runs.Where(which).Select(run => scores[run.Plan.Name])];
        var quiet = Of(run => !run.Plan.Loaded);
        var busy = runs.Count(run => !run.Plan.Loaded && run.LoadBefore > BusyLoad);
        return string.Join("\n\n",
        [
            $"{quiet.Length} runs without a neighbour of ours, {runs.Count - quiet.Length} beside a busy one; "
                + $"clock step {Steps(runs)} ms.\nOf those without, {busy} began on a machine that was "
                + "busy with other things (a load of more than 0.7 a processor).",
            ScoresPage.Section("### Without a neighbour of ours", quiet, [], quiet: true).TrimEnd('\n'),
            ScoresPage.Section("### Beside a busy neighbour", Of(run => run.Plan.Loaded), [], quiet: false).TrimEnd('\n'),
        ]) + "\n";
    }

    static string Steps(IEnumerable<RecordedRun> runs) =>
        string.Join(" or ", runs.Select(run => run.Run.Report.Timeline.Clock?.StepMs).OfType<double>()
            .Distinct().Order().Select(step => step.ToString("0.#", CultureInfo.InvariantCulture)));
}
