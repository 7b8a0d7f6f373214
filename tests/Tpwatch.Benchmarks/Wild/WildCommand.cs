using System.Collections.Concurrent;
using System.Globalization;
using Tpwatch.Benchmarks.Remedies;
using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks.Wild;

/// <summary>
/// Meets programs of many kinds late, by the tool as a user has it, and holds each answer against what is true of the program. Writes
/// tests/WILD.md; misses its goals where an answer is wrong.
/// </summary>
static class WildCommand
{
    const int UsualParallel = 2;

    /// <summary>What a cell of the page has room for, characters.</summary>
    const int MostOfRemedy = 160;

    static string Page { get; } = Path.Combine(BuiltPrograms.Root, "tests", "WILD.md");

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (parallel, dry) = (words.Number("--parallel", UsualParallel), words.Has("--dry"));
        var load = MachineWords.LoadNow();
        var chosen = (await WildProgram.AllAsync()).Where(one => words.Rest.Count == 0 || words.Rest.Contains(one.Name)).ToArray();
        if (chosen.Length == 0)
            return words.Refuse("no program has one of these names");
        var met = new ConcurrentDictionary<WildProgram, MetProgram>();
        var failures = new ConcurrentBag<string>();
        await Parallel.ForEachAsync(chosen, new ParallelOptions { MaxDegreeOfParallelism = parallel }, async (program, cancel) =>
        {
            try
            {
                var one = met[program] = await MetProgram.OfAsync(program, cancel);
                Console.WriteLine(Row(one));
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                failures.Add($"{program.Name}: {e.Message}");
                Console.WriteLine($"{program.Name}: {e.Message}");
            }
        });
        MetProgram[] rows = [.. chosen.Where(met.ContainsKey).Select(program => met[program])];
        if (!dry)
            File.WriteAllText(Page, Write(
                KeptRows.Of(Page, [.. rows.Select(one => $"| {Row(one)} |")], words.Rest.Count > 0, MachineWords.Of([], load)), failures));
        var goals = new Goals()
            .AtMost("wrong verdicts", rows.Count(one => one.IsWrongVerdict), 0)
            .AtMost("wrong culprits", rows.Count(one => one.IsWrongCulprit), 0)
            .AtMost("false alarms", rows.Count(one => one.IsFalseAlarm), 0)
            .AtMost("useless or harmful remedies", rows.Count(one => one.IsWrongRemedy), 0);
        return failures.Aggregate(goals, (all, failure) => all.Add($"not met: {failure}", met: false)).Conclude();
    }

    // The counts are those of the marks in the rows, also of rows that stay from before.
    static string Write(KeptRows kept, ConcurrentBag<string> failures)
    {
        var rows = kept.Rows;
        int Count(int cell, params string[] marks) => rows.Count(row => marks.Any(
            mark => row.Split('|')[cell].Contains(mark, StringComparison.Ordinal)));
        return $"""
            # Programs met late

            {rows.Length} programs, {rows.Count(row => row.Split('|')[2].Trim().Length > 0)} of them on frameworks (`fixtures/Frameworks`, `fixtures/Services`), the others
            `fixtures/Inside`. Each ran for 14 s before `report --duration 10s` met it (28 s where items hang). What is true of them is how they are
            made, and what they measure themselves: within what time half of their empty items started. Where a min was advised or refused, they ran
            once more with it; where one that was refused helped at first, both figures are of the second minute of longer runs, in which threads that
            only wait elsewhere are used up. Written by `dotnet run --project tests/Tpwatch.Benchmarks -c Release -- wild`.

            Wrong verdicts: {Count(4, " WRONG")}. Wrong culprits: {Count(5, " WRONG")}. False alarms:
            {Count(4, "FALSE ALARM")}. Useless or harmful remedies: {Count(7, " WRONG") + Count(9, "USELESS", "HELPED")}. Undecided:
            {Count(4, "undecided")}. Sick without a culprit: {Count(5, "not named")}.

            Not met: {(failures.IsEmpty ? "none" : string.Join("; ", failures))}.

            {string.Join("\n\n", kept.Machines)}

            | program | on | half start within | said | culprit | waits for | first remedy | MinThreads | half start with it |
            |---|---|---|---|---|---|---|---|---|
            {string.Join('\n', rows)}

            """.ReplaceLineEndings("\n");
    }

    static string Row(MetProgram one) => string.Join(" | ",
        one.Program.Name, one.Program.On, one.Before is { } before ? Time(before.StartP50Ms) : "",
        $"{one.Said.Verdict}{(one.IsWrongVerdict ? " WRONG" : "")}"
            + (one.IsFalseAlarm ? $" FALSE ALARM {string.Join(' ', one.Said.Alarms)}" : ""),
        $"{Brief(one.Said.Frame)}{(one.IsWrongCulprit ? " WRONG" : one.IsNameless ? "not named" : "")}",
        one.Said.Resource ?? "", Remedy(one), Min(one),
        one.WithMin is { } with
            ? Time(with.StartP50Ms) + (one.IsUselessMin ? " USELESS" : one.IsForbiddenMin ? " HELPED" : "")
                + (one.IsSettled ? " (second minute)" : "")
            : "");

    static string Brief(string? frame) => frame is null ? "" : string.Join('.', frame.Split('.')[^Math.Min(2, frame.Split('.').Length)..]);

    static string Remedy(MetProgram one)
    {
        var text = one.Said.Remedies.FirstOrDefault("").Replace('|', '/');
        return (text.Length > MostOfRemedy ? text[..MostOfRemedy] + "…" : text) + (one.IsToldToAwait ? " WRONG" : "");
    }

    static string Min(MetProgram one) => one.Said switch
    {
        { Min: { } min, IsConditional: true } => $"{min}, with a condition",
        { Min: { } min } => $"{min}",
        { Refused: true } => "of no use",
        _ => "",
    };

    static string Time(double ms) => ms < 1000
        ? string.Create(CultureInfo.InvariantCulture, $"{ms:0} ms") : string.Create(CultureInfo.InvariantCulture, $"{ms / 1000:0.0} s");
}
