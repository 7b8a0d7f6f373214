using System.Collections.Immutable;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Recordings;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Benchmarks.Recording;

/// <summary>
/// Makes the recordings of tests/Recordings again, or some of them, with the truth of each, and their README. The first run that is
/// complete is kept: what the engine makes of it is not asked. <c>--folder</c> puts them elsewhere: those of scenarios that are not judged
/// yet.
/// </summary>
static class StoredRecordings
{
    /// <summary>A run that loses events or whose target is killed is made again so often; each time is written down.</summary>
    const int Attempts = 3;

    const int UsualParallel = 3;

    /// <summary>Chains of work a processor: enough that the neighbour always has a next item.</summary>
    const int ChainsPerProcessor = 4;

    static readonly TimeSpan Limit = TimeSpan.FromMinutes(60);

    public static string Folder { get; } = Path.Combine(BuiltPrograms.Root, "tests", "Recordings");

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        if (words.Has("--readme"))
            return WriteReadme();
        var parallel = words.Number("--parallel", UsualParallel);
        var folder = words.Folder("--folder", Folder);
        var plans = RunMatrix.Named(words.Rest);
        if (plans.IsEmpty)
            return words.Refuse("no run and no scenario has one of these names");
        Directory.CreateDirectory(folder);
        var outcomes = await MakeAsync([.. plans.Where(plan => !plan.Loaded)], (folder, parallel));
        if (plans.Any(plan => plan.Loaded))
        {
            await using var neighbour = await LoadProcess.StartAsync(Environment.ProcessorCount * ChainsPerProcessor);
            outcomes = [.. outcomes, .. await MakeAsync([.. plans.Where(plan => plan.Loaded)], (folder, parallel))];
        }

        var code = Conclude(outcomes);
        return folder == Folder ? Math.Max(WriteReadme(), code) : code;
    }

    static async Task<ImmutableArray<Outcome<Made>>> MakeAsync(ImmutableArray<RunPlan> plans, (string Folder, int Parallel) how)
    {
        using var fixtures = new FixtureCopy();
        var scratch = Directory.CreateTempSubdirectory("recordings-").FullName;
        try
        {
            return await new RunQueue(how.Parallel, Limit).MakeAsync(
                plans, async (plan, cancel) => Keep(how.Folder, await CompleteAsync(plan, (fixtures, scratch), cancel)), made => made.Said);
        }
        finally
        {
            Directory.Delete(scratch, recursive: true);
        }
    }

    static async Task<(AttachedRun Run, StoredTruth Truth)> CompleteAsync(
        RunPlan plan, (FixtureCopy Fixtures, string Scratch) place, CancellationToken cancel)
    {
        var incomplete = ImmutableArray.CreateBuilder<string>();
        while (true)
        {
            var load = MachineWords.Load();
            var run = await AttachedRun.OfAsync(plan, place, cancel);
            if (run.Incomplete is not { } why)
                return (run, new(run.Run.Truth, run.Delivered) { LoadBefore = load, Incomplete = incomplete.ToImmutable() });
            incomplete.Add(why);
            if (incomplete.Count == Attempts)
                throw new InvalidOperationException(string.Join("; ", incomplete));
        }
    }

    static Made Keep(string folder, (AttachedRun Run, StoredTruth Truth) made)
    {
        var kept = Path.Combine(folder, made.Run.Plan.Name + ".nettrace");
        File.Copy(made.Run.Recording, kept, overwrite: true);
        File.Copy(SideCarFile.PathFor(made.Run.Recording), SideCarFile.PathFor(kept), overwrite: true);
        StoredTruthFile.Write(StoredTruthFile.PathFor(kept), made.Truth);
        var run = made.Run.Run;
        var right = TrueVerdict.Of(run.Truth, made.Run.Plan.Row.Expectation.Work, run.From);
        return new($"{made.Truth.Incomplete.Length} incomplete before; the record says {string.Join(" or ", right)}");
    }

    static int WriteReadme()
    {
        File.WriteAllText(Path.Combine(Folder, "README.md"), RecordingsReadme.Write(Folder));
        return 0;
    }

    static int Conclude(ImmutableArray<Outcome<Made>> outcomes)
    {
        var missing = outcomes.Where(outcome => outcome.Value is null).ToArray();
        Console.WriteLine($"{outcomes.Length - missing.Length} kept, {missing.Length} not; the old ones stay");
        foreach (var outcome in missing)
            Console.WriteLine($"  {outcome.Plan.Name}: {outcome.Failure}");
        return missing.Length > 0 ? 1 : 0;
    }

    /// <summary>What is said of a recording that was kept.</summary>
    sealed record Made(string Said);
}
