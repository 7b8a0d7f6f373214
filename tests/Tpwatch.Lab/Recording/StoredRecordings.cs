using System.Collections.Immutable;
using Tpwatch.Lab.Runs;
using Tpwatch.Recordings;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Lab.Recording;

/// <summary>
/// Makes the recordings of tests/Recordings again, or some of them, with the truth of each, and their README. The first run that is
/// complete is kept: what the engine makes of it is not asked.
/// </summary>
static class StoredRecordings
{
    /// <summary>A run that loses events or whose target is killed is made again so often; each time is written down.</summary>
    const int Attempts = 3;

    const int UsualParallel = 3;

    /// <summary>Chains of work a processor: enough that the neighbour always has a next item.</summary>
    const int ChainsPerProcessor = 4;

    static readonly TimeSpan Limit = TimeSpan.FromMinutes(60);

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var parallel = words.Number("--parallel", UsualParallel);
        var plans = RunMatrix.Named(words.Rest);
        if (plans.IsEmpty)
            return words.Refuse("no run and no scenario has one of these names");
        var outcomes = await MakeAsync([.. plans.Where(plan => !plan.Loaded)], parallel);
        if (plans.Any(plan => plan.Loaded))
        {
            await using var neighbour = await LoadProcess.StartAsync(Environment.ProcessorCount * ChainsPerProcessor);
            outcomes = [.. outcomes, .. await MakeAsync([.. plans.Where(plan => plan.Loaded)], parallel)];
        }

        Console.WriteLine($"{outcomes.Count(outcome => outcome.Value is not null)} kept; of the others the old ones stay");
        File.WriteAllText(Path.Combine(BuiltPrograms.Recordings, "README.md"), RecordingsReadme.Write(BuiltPrograms.Recordings));
        return RunQueue.Conclude(outcomes, new());
    }

    static Task<ImmutableArray<Outcome<string>>> MakeAsync(ImmutableArray<RunPlan> plans, int parallel) =>
        RunQueue.MakeAsync(plans, parallel, Limit,
            async (plan, fixtures, cancel) => Keep(await CompleteAsync(plan, fixtures, cancel)), said => said);

    static async Task<(AttachedRun Run, StoredTruth Truth)> CompleteAsync(
        RunPlan plan, FixtureCopy fixtures, CancellationToken cancel)
    {
        var incomplete = ImmutableArray.CreateBuilder<string>();
        while (true)
        {
            var load = QuietMachine.Load();
            var run = await AttachedRun.OfAsync(plan, fixtures, cancel);
            if (run.Incomplete is not { } why)
                return (run, new(run.Run.Truth, run.Delivered) { LoadBefore = load, Incomplete = incomplete.ToImmutable() });
            incomplete.Add(why);
            if (incomplete.Count == Attempts)
                throw new InvalidOperationException(string.Join("; ", incomplete));
        }
    }

    // What is said of a recording that was kept.
    static string Keep((AttachedRun Run, StoredTruth Truth) made)
    {
        var kept = BuiltPrograms.Recording(made.Run.Plan.Name);
        File.Copy(made.Run.Recording, kept, overwrite: true);
        File.Copy(SideCarFile.PathFor(made.Run.Recording), SideCarFile.PathFor(kept), overwrite: true);
        StoredTruthFile.Write(StoredTruthFile.PathFor(kept), made.Truth);
        var run = made.Run.Run;
        var right = TrueVerdict.Of(run.Truth, made.Run.Plan.Row.Expectation.Work, run.From);
        return $"{made.Truth.Incomplete.Length} incomplete before; the record says {string.Join(" or ", right)}";
    }
}
