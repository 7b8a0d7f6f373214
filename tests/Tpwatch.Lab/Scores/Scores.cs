using System.Collections.Immutable;
using Tpwatch.Lab.Runs;
using Tpwatch.Reports;
using Tpwatch.Scoring.Recorded;

namespace Tpwatch.Lab.Scores;

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

    public static string Page { get; } = BuiltPrograms.InTests("SCORES.md");

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
        var plans = Plans(words.Rest, loaded);
        if (plans.IsEmpty)
            return words.Refuse("no scenario has one of these names");
        var load = MachineWords.LoadNow();
        await using var neighbour = loaded ? await LoadProcess.StartAsync(Environment.ProcessorCount * ChainsPerProcessor) : null;
        var outcomes = await MakeAsync(plans, parallel, Scored.OfAsync, one => one.Score.ToString());
        var scored = outcomes.Select(outcome => outcome.Value).OfType<Scored>().ToArray();
        var machine = MachineWords.Of(
            loaded ? $"{load}, a busy neighbour on each" : load, scored.Select(one => one.StepMs).OfType<double>());
        RunScore[] scores = [.. scored.Select(one => one.Score)];
        var section = ScoresPage.Section(machine, scores, RunQueue.Failures(outcomes), !loaded);
        Console.WriteLine(section);
        if (!dry)
            GeneratedPart.Write(Page, loaded ? "loaded" : "quiet", section);
        return RunQueue.Conclude(outcomes, ScoreRow.GoalsOf(ScoreBoard.Of(scores, !loaded)));
    }

    // On a machine left alone the runs of the matrix that have no neighbour, else those and the others beside one.
    static ImmutableArray<RunPlan> Plans(IReadOnlyCollection<string> names, bool loaded) => loaded
        ? [.. RunMatrix.Named(names).Where(plan => plan.LateMs is null)
            .Select(plan => plan with { Loaded = true }).DistinctBy(plan => plan.Name)]
        : [.. RunMatrix.Named(names).Where(plan => !plan.Loaded)];

    static async Task<int> RecordedAsync()
    {
        var runs = await Task.WhenAll(RecordedRun.Names(BuiltPrograms.Recordings)
            .Select(name => RecordedRun.ReadAsync(BuiltPrograms.Recordings, name)));
        var scores = (await Task.WhenAll(runs.Select(run => run.ScoreAsync()))).ToImmutableDictionary(score => score.Name);
        var section = RecordedScores.Section(runs, scores);
        Console.WriteLine(section);
        GeneratedPart.Write(Page, "recorded", section);
        return 0;
    }

    /// <summary>Makes the runs and what is wanted of each.</summary>
    public static Task<ImmutableArray<Outcome<T>>> MakeAsync<T>(
        ImmutableArray<RunPlan> plans, int parallel, Func<AttachedRun, Task<T>> of, Func<T, string> say)
        where T : class =>
        RunQueue.MakeAsync(
            plans, parallel, Limit, async (plan, fixtures, cancel) => await of(await AttachedRun.OfAsync(plan, fixtures, cancel)), say);

    /// <summary>A score, and the clock of the machine as the run saw it; the run itself is let go of.</summary>
    sealed record Scored(RunScore Score, double? StepMs)
    {
        public static async Task<Scored> OfAsync(AttachedRun run) =>
            new(await RunScore.OfAsync(run.Run, run.Plan, run.Readings, run.Recording), run.Run.Report.Timeline.Clock?.StepMs);
    }
}

/// <summary>The scenarios in which nothing is wrong, each several times: any finding above a note is a false alarm.</summary>
static class HealthyRuns
{
    const int UsualTimes = 10;

    /// <summary>The last one collects garbage all the time and leaves the pool alone.</summary>
    static readonly string[] Names = ["steady", "healthy-burst", "async-items", "dedicated-threads", "garbage-storm-rate-0"];

    public static async Task<int> RunAsync(Words words)
    {
        var (times, parallel, dry) = (words.Number("--times", UsualTimes), words.Number("--parallel", 1), words.Has("--dry"));
        if (words.Rest.Count > 0)
            return words.Refuse("--healthy takes no names");
        var rows = Names.Select(ScenarioRow.Of).ToArray();
        var plans = Enumerable.Repeat(rows, times).SelectMany(row => row).Select(row => new RunPlan(row, TargetRuntime.Net10));
        var load = MachineWords.LoadNow();
        var outcomes = await Scores.MakeAsync(
            [.. plans], parallel, run => Task.FromResult(Said.Of(run.Run.Report)), said => said.ToString());
        var section = Section(MachineWords.Of(load), outcomes);
        Console.WriteLine(section);
        if (!dry)
            GeneratedPart.Write(Scores.Page, "healthy", section);
        return outcomes.Any(outcome => outcome.Value is not { Alarms: [] }) ? 1 : 0;
    }

    static string Section(string machine, IEnumerable<Outcome<Said>> outcomes) => $"""
        {machine}

        | scenario | runs | verdicts | findings above a note (goal: none) |
        |---|---|---|---|
        {string.Join('\n', outcomes.GroupBy(outcome => outcome.Plan.Row.Stem).Select(Row))}

        """;

    static string Row(IGrouping<string, Outcome<Said>> runs)
    {
        var said = runs.Select(outcome => outcome.Value).OfType<Said>().ToArray();
        var verdicts = said.GroupBy(one => one.Verdict).Select(same => $"{same.Count()} {same.Key}");
        var alarms = said.SelectMany(one => one.Alarms).Concat(runs.Select(outcome => outcome.Failure).OfType<string>()).ToArray();
        return $"| `{runs.Key}` | {said.Length} | {string.Join(", ", verdicts)} | {(alarms is [] ? "none" : string.Join("; ", alarms))} |";
    }

    /// <summary>What a report says that somebody would act upon.</summary>
    sealed record Said(string Verdict, string[] Alarms)
    {
        public static Said Of(PoolReport report) => new(
            report.Verdict.ToString(), [.. report.Findings.Where(f => f.Severity > Severity.Note).Select(f => $"{f.Id} {f.Headline}")]);

        public override string ToString() => string.Join("; ", Alarms.Prepend(Verdict));
    }
}
