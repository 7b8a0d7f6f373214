using System.Globalization;
using Tpwatch.Scoring.Scores;

namespace Tpwatch.Scoring.Recorded;

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
