using System.Collections.Immutable;
using System.Text.Json;
using Tpwatch.Attach;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.Benchmarks.Recording;

/// <summary>
/// Makes the recordings of tests/Recordings again, or some of them, and their README. A recording is kept only when the ledger accounts for
/// it and it shows what its scenario must show; it is tried until every gap fits, and the best is kept.
/// </summary>
static class Recordings
{
    const int Attempts = 3;
    const int UsualParallel = 4;
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(30);

    static string Folder { get; } = Path.Combine(BuiltPrograms.Root, "tests", "Recordings");

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        if (words.Has("--readme"))
            return WriteReadme();
        var parallel = words.Number("--parallel", UsualParallel);
        var rows = CatalogueRun.Named(words.Rest);
        if (rows.IsEmpty)
            return words.Refuse("no scenario has one of these names");
        Directory.CreateDirectory(Folder);
        using var fixtures = new FixtureCopy();
        var scratch = Directory.CreateTempSubdirectory("recordings-").FullName;
        var outcomes = await new RunQueue(parallel, Limit).MakeAsync(
            [.. rows.Select(Plan)], (plan, cancel) => BestAsync(plan, (fixtures, scratch), cancel), Say);
        foreach (var made in outcomes.Select(outcome => outcome.Value).OfType<Made>().Where(made => made.Complaint is null))
            Keep(made);
        Directory.Delete(scratch, recursive: true);
        return Math.Max(WriteReadme(), Conclude(outcomes));
    }

    static PlannedRun Plan(CatalogueRun row) =>
        new(row, TargetRuntime.Net10, RecordingExceptions.OwnWords.GetValueOrDefault(row.Stem, row.ShortWords)) { Attempts = Attempts };

    /// <summary>Tries until everything fits; otherwise the best of those that may be kept, or the last one with what is wrong about it.</summary>
    static async Task<Made> BestAsync(PlannedRun plan, (FixtureCopy Fixtures, string Scratch) place, CancellationToken cancel)
    {
        Made? best = null;
        for (var attempt = 1; attempt <= plan.Attempts && best is not { Complaint: null, Misfits: 0 }; attempt++)
        {
            var made = Made.Of(await AttachedRun.OfAsync(plan, place, cancel));
            best = best is null || (made.Complaint is null, -made.Misfits).CompareTo((best.Complaint is null, -best.Misfits)) > 0 ? made : best;
        }

        return best!;
    }

    static string Say(Made made) => made.Complaint is { } complaint
        ? $"refused, since {complaint}"
        : $"{Format.Count(made.Bytes)} bytes, {made.Entry.Verdict}, {made.Entry.Fits} of {made.Entry.Timed} timed gaps fit";

    static void Keep(Made made)
    {
        var kept = Path.Combine(Folder, made.Entry.Name + ".nettrace");
        File.Copy(made.Run.Recording, kept, overwrite: true);
        File.Copy(SideCarFile.PathFor(made.Run.Recording), SideCarFile.PathFor(kept), overwrite: true);
        RecordingIndex.Read(Folder).With(made.Entry).Write(Folder);
    }

    static int WriteReadme()
    {
        File.WriteAllText(Path.Combine(Folder, "README.md"), RecordingsReadme.Write(RecordingIndex.Read(Folder)));
        return 0;
    }

    static int Conclude(ImmutableArray<Outcome<Made>> outcomes)
    {
        var missing = outcomes.Where(outcome => outcome.Value is not { Complaint: null }).ToArray();
        Console.WriteLine($"{outcomes.Length - missing.Length} kept, {missing.Length} not; the old ones stay");
        foreach (var outcome in missing)
            Console.WriteLine($"  {outcome.Plan.Name}: {outcome.Failure ?? outcome.Value?.Complaint}");
        return missing.Length > 0 ? 1 : 0;
    }

    /// <summary>A recording and what is said of it.</summary>
    sealed record Made(AttachedRun Run, RecordingEntry Entry, string? Complaint)
    {
        public long Bytes => Entry.Bytes;

        public int Misfits => Entry.Timed - Entry.Fits;

        public static Made Of(AttachedRun run)
        {
            var (report, bytes) = (run.Report, new FileInfo(run.Recording).Length);
            var entry = new RecordingEntry
            {
                Name = run.Plan.Row.Stem,
                Arguments = string.Join(' ', run.Plan.Words),
                Processors = run.Truth.Header.Processors,
                Runtime = run.Truth.Header.Runtime,
                Bytes = bytes,
                Verdict = JsonNamingPolicy.CamelCase.ConvertName(report.Verdict.ToString()),
                Fits = report.Tally.Fits,
                Timed = RecordingRule.Timed(report),
                Gaps = report.Tally.Total,
            };
            return new(run, entry, RecordingRule.Complaint(report, run.Plan.Row.Expectation, bytes));
        }
    }
}
