using System.Globalization;
using Tpwatch.Scoring.Scores;

namespace Tpwatch.Scoring.Recorded;

/// <summary>The section of tests/SCORES.md about the stored runs: the same every time, so that a test can compare it.</summary>
static class RecordedScores
{
    public static string Section(IReadOnlyCollection<RecordedRun> runs, IReadOnlyDictionary<string, RunScore> scores)
    {
        RunScore[] Of(Func<RecordedRun, bool> which) => [.. runs.Where(which).Select(run => scores[run.Plan.Name])];
        var quiet = Of(run => !run.Plan.Loaded);
        return string.Join("\n\n",
        [
            $"{quiet.Length} runs of a machine left alone, {runs.Count - quiet.Length} beside a busy "
                + $"neighbour; clock step {Steps(runs)} ms.",
            ScoresPage.Section("### Left alone", quiet, [], quiet: true).TrimEnd('\n'),
            ScoresPage.Section("### Beside a busy neighbour", Of(run => run.Plan.Loaded), [], quiet: false).TrimEnd('\n'),
            "### What is foretold, on the half of the runs on which its constants were chosen\n\n"
                + Foretold(Of(run => RecordingHalf.IsForTuning(run.Plan.Row.Stem))),
            "### The same on the other half, which no constant has seen\n\n"
                + Foretold(Of(run => !RecordingHalf.IsForTuning(run.Plan.Row.Stem))),
        ]) + "\n";
    }

    static string Steps(IEnumerable<RecordedRun> runs) =>
        string.Join(" or ", runs.Select(run => run.Run.Report.Timeline.Clock?.StepMs).OfType<double>()
            .Distinct().Order().Select(step => step.ToString("0.#", CultureInfo.InvariantCulture)));

    static string Foretold(RunScore[] runs) => ScoresPage.Table(ScoreBoard.Foretold(runs)).TrimEnd('\n');
}
