using System.Collections.Concurrent;
using System.Globalization;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Fixtures.Inside.Kinds;

namespace Tpwatch.Benchmarks.Remedies;

/// <summary>
/// Tries for each kind of wait whether more threads help and whether the remedy does. Writes tests/WAITS.md; misses its goals where a
/// report was wrong, or its advice.
/// </summary>
static class KindsCommand
{
    const int UsualParallel = 2;

    static string Page { get; } = Path.Combine(BuiltPrograms.Root, "tests", "WAITS.md");

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (parallel, dry) = (words.Number("--parallel", UsualParallel), words.Has("--dry"));
        var chosen = KindCatalogue.All.Where(kind => words.Rest.Count == 0 || words.Rest.Contains(kind.Name)).ToArray();
        if (chosen.Length == 0)
            return words.Refuse("no kind has one of these names");
        var load = MachineWords.LoadNow();
        var tried = new ConcurrentDictionary<string, TriedKind>();
        await Parallel.ForEachAsync(chosen, new ParallelOptions { MaxDegreeOfParallelism = parallel }, async (kind, cancel) =>
        {
            var one = tried[kind.Name] = await TriedKind.OfAsync(kind, cancel);
            Console.WriteLine(Row(one));
        });
        TriedKind[] rows = [.. chosen.Select(kind => tried[kind.Name])];
        if (!dry)
            File.WriteAllText(Page, Write(
                KeptRows.Of(Page, [.. rows.Select(one => $"| {Row(one)} |")], words.Rest.Count > 0, MachineWords.Of([], load))));
        return new Goals()
            .AtMost("kinds of waits told wrong", rows.Count(one => !one.IsRight), 0)
            .AtMost("advised mins that left more than two thirds of the time", rows.Count(one => one.IsUselessMin), 0)
            .AtMost("mins called useless that help", rows.Count(one => one.IsForbidden), 0)
            .AtMost("remedies that left more than two thirds of the time", rows.Count(one => one.Waited && !one.RemedyHelped), 0)
            .Conclude();
    }

    static string Write(KeptRows kept) => $"""
        # Kinds of waits, and what helps

        Each kind (`fixtures/Inside/Kinds`) ran for 40 s as a steady load of items that block, met after 12 s by `report`. It ran once more with
        a larger MinThreads, and once with the remedy. Where a min that was called useless helped at first, both ran again for 100 s, and count
        from the second minute on: threads that only wait elsewhere are used up by then. The times are those of an empty item queued ten times a second: half of them started
        within so long. Written by `dotnet run --project tests/Tpwatch.Benchmarks -c Release -- kinds`.

        {string.Join("\n\n", kept.Machines)}

        | kind | said | waits for | half start within | MinThreads said | tried | half start then | | with the remedy | |
        |---|---|---|---|---|---|---|---|---|---|
        {string.Join('\n', kept.Rows)}

        """.ReplaceLineEndings("\n");

    static string Row(TriedKind one) => string.Join(" | ",
        one.Kind.Name, one.Said.Verdict, $"{one.Said.Resource ?? "nothing"}{(one.IsRight ? "" : $" in {one.Said.Frame} WRONG")}",
        Time(one.Before.StartP50Ms), Min(one), $"{one.Min}", Time(one.WithMin.StartP50Ms), CameOfMin(one),
        Time(one.WithRemedy.StartP50Ms), !one.Waited ? "" : one.RemedyHelped ? "helped" : "USELESS");

    static string Time(double ms) => ms < 1000
        ? string.Create(CultureInfo.InvariantCulture, $"{ms:0} ms") : string.Create(CultureInfo.InvariantCulture, $"{ms / 1000:0.0} s");

    static string Min(TriedKind one) => one.Said switch
    {
        { Min: { } min, IsConditional: true } => $"{min}, with a condition",
        { Min: { } min } => $"{min}",
        { Refused: true } => "of no use",
        _ => "nothing",
    };

    static string CameOfMin(TriedKind one) => !one.Waited ? "nothing waited"
        : one.IsUselessMin ? "USELESS"
        : one.IsForbidden ? "helped, THOUGH FORBIDDEN"
        : $"{(one.MinHelped ? "helped" : "did not help")}{(one.IsSettled ? " in the second minute" : "")}";
}
