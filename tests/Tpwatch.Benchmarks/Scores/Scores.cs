using System.Collections.Immutable;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Scoring.Recorded;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>
/// Scores what the engine says of runs against the records that the fixtures write of themselves, and writes the section of tests/SCORES.md
/// that belongs to it: of the stored runs, or of runs made now on a quiet machine, or on one with a busy neighbour on every processor,
/// which is started here.
/// </summary>
static class Scores
{
    const int UsualParallel = 4;

    /// <summary>Four targets that start, compile and end beside each other are no quiet machine.</summary>
    const int QuietParallel = 1;

    /// <summary>Chains a processor: enough that a worker always has a next item.</summary>
    const int ChainsPerProcessor = 4;

    static readonly TimeSpan Limit = TimeSpan.FromMinutes(60);

    public static string Page { get; } = Path.Combine(BuiltPrograms.Root, "tests", "SCORES.md");

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (loaded, quiet) = (words.Has("--loaded"), words.Has("--quiet"));
        if (loaded && quiet)
            return words.Refuse("a machine is either quiet or loaded");
        if (words.Has("--recorded"))
            return await RecordedAsync();
        if (quiet)
            QuietMachine.Require();
        if (words.Has("--healthy"))
            return await HealthyRuns.RunAsync(words);
        var (parallel, dry) = (words.Number("--parallel", quiet ? QuietParallel : UsualParallel), words.Has("--dry"));
        var plans = ScoreRuns.Of(words.Rest, loaded);
        if (plans.IsEmpty)
            return words.Refuse("no scenario has one of these names");
        var load = MachineWords.LoadNow();
        await using var neighbour = loaded ? await LoadProcess.StartAsync(Environment.ProcessorCount * ChainsPerProcessor) : null;
        var outcomes = await MakeAsync(plans, parallel, Scored.OfAsync, one => one.Score.ToString());
        var scored = outcomes.Select(outcome => outcome.Value).OfType<Scored>().ToArray();
        var machine = MachineWords.Of(
            scored.Select(one => one.StepMs).OfType<double>(), loaded ? $"{load}, a busy neighbour on each" : load);
        var failures = outcomes.Where(outcome => outcome.Value is null)
            .Select(outcome => $"{outcome.Plan.Name}: {outcome.Failure}").ToArray();
        RunScore[] scores = [.. scored.Select(one => one.Score)];
        var section = ScoresPage.Section(machine, scores, failures, !loaded);
        Console.WriteLine(section);
        if (!dry)
            ScoresFile.Write(Page, loaded ? "loaded" : "quiet", section);
        var goals = ScoreRow.GoalsOf(ScoreBoard.Of([.. scored.Select(one => one.Score)], !loaded));
        return failures.Aggregate(goals, (all, failure) => all.Add($"not scored: {failure}", met: false)).Conclude();
    }

    static async Task<int> RecordedAsync()
    {
        var runs = await Task.WhenAll(RecordedRun.Names(Recording.StoredRecordings.Folder)
            .Select(name => RecordedRun.ReadAsync(Recording.StoredRecordings.Folder, name)));
        var scores = (await Task.WhenAll(runs.Select(run => run.ScoreAsync()))).ToImmutableDictionary(score => score.Name);
        var section = RecordedScores.Section(runs, scores);
        Console.WriteLine(section);
        ScoresFile.Write(Page, "recorded", section);
        return 0;
    }

    /// <summary>Makes the runs and what is wanted of each; nothing is left behind.</summary>
    public static async Task<ImmutableArray<Outcome<T>>> MakeAsync<T>(
        ImmutableArray<RunPlan> plans, int parallel, Func<AttachedRun, Task<T>> of, Func<T, string> say)
        where T : class
    {
        using var fixtures = new FixtureCopy();
        using var limit = new CancellationTokenSource(Limit);
        var scratch = Directory.CreateTempSubdirectory("scores-").FullName;
        try
        {
            return await new RunQueue(parallel, Limit).MakeAsync(
                plans, async (plan, cancel) => await of(await AttachedRun.OfAsync(plan, (fixtures, scratch), cancel)), say);
        }
        finally
        {
            Directory.Delete(scratch, recursive: true);
        }
    }

    /// <summary>A score, and the clock of the machine as the run saw it; the run itself is let go of.</summary>
    sealed record Scored(RunScore Score, double? StepMs)
    {
        public static async Task<Scored> OfAsync(AttachedRun run) =>
            new(await RunScore.OfAsync(run.Run, run.Plan, run.Readings, run.Recording), run.Run.Report.Timeline.Clock?.StepMs);
    }
}
