using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Fixtures.Services.Database;

namespace Tpwatch.Benchmarks.Beside;

/// <summary>
/// What this tool names and what dotnet-trace names, of the same process a few seconds apart. Writes tests/BESIDE.md; misses its goal where
/// the service's own method or its route is not what this tool names first.
/// </summary>
static class BesideCommand
{
    const int UsualParallel = 2;

    static string Page { get; } = Path.Combine(BuiltPrograms.Root, "tests", "BESIDE.md");

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (parallel, dry) = (words.Number("--parallel", UsualParallel), words.Has("--dry"));
        var chosen = BesideCase.All.Where(one => words.Rest.Count == 0 || words.Rest.Contains(one.Scenario)).ToArray();
        if (chosen.Length == 0)
            return words.Refuse("no case has one of these names");
        if (PostgresPrograms.Find() is null)
            return words.Refuse("no PostgreSQL was found");
        var load = MachineWords.LoadNow();
        await TraceReport.RestoreAsync(CancellationToken.None);
        var seen = new ConcurrentDictionary<BesideCase, BothLooks>();
        await Parallel.ForEachAsync(chosen, new ParallelOptions { MaxDegreeOfParallelism = parallel }, async (one, cancel) =>
        {
            var both = seen[one] = await BothLooks.OfAsync(one, cancel);
            Console.WriteLine(Row(both));
        });
        BothLooks[] rows = [.. chosen.Select(one => seen[one])];
        if (!dry)
            File.WriteAllText(Page, Write(MachineWords.Of([], load), rows));
        return new Goals().AtMost("services whose own method or route was not named first", rows.Count(row => !row.IsNamed), 0).Conclude();
    }

    static string Write(string machine, BothLooks[] rows)
    {
        var text = new StringBuilder($"""
            # Beside dotnet-trace

            Each service (`fixtures/Services`) was met after 6 s: first by this tool with the default of `report`, until it knew what blocks; then
            by `dotnet-trace collect --profile dotnet-sampled-thread-time` for 5 s, and its `report topN`, exclusive and inclusive. The last column is
            the line of its inclusive list, of 200, at which the service's own method stands. Written by
            `dotnet run --project tests/Tpwatch.Benchmarks -c Release -- beside`.

            {machine}

            | service | tpwatch names | after | dotnet-trace, exclusive, first three | own method in its inclusive list | trace |
            |---|---|---|---|---|---|

            """.ReplaceLineEndings("\n"));
        foreach (var row in rows)
            text.Append($"| {Row(row)} |\n");
        return text.ToString();
    }

    static string Row(BothLooks both) => string.Create(CultureInfo.InvariantCulture,
        $"{both.Case.Scenario} | {both.First?.Chain ?? "nothing"} | {both.AfterMs / 1000:0.0} s | "
        + $"{string.Join(", ", both.Trace.Exclusive.Take(3).Select(line => $"{line.Method} {line.Share}"))} | "
        + $"{(both.Own is { Place: > 0 } own ? $"line {own.Place}, {own.Share}" : "not in it")} | {both.Trace.Bytes / 1e6:0.0} MB");
}
