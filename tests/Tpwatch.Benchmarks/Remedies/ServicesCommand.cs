using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Fixtures.Services.Database;
using Tpwatch.Fixtures.Services.Scenarios;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Scoring.Checks;

namespace Tpwatch.Benchmarks.Remedies;

/// <summary>
/// Tries on real services what the reports advise, and what they do not advise: what became of the time of requests. Writes
/// tests/SERVICES.md; misses its goals where an advised remedy was useless or one that is not advised helps.
/// </summary>
static class ServicesCommand
{
    const int UsualParallel = 2;

    static string Page { get; } = Path.Combine(BuiltPrograms.Root, "tests", "SERVICES.md");

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (parallel, dry) = (words.Number("--parallel", UsualParallel), words.Has("--dry"));
        var chosen = ServiceTrial.All.Where(trial => words.Rest.Count == 0 || words.Rest.Contains(trial.Scenario)).ToArray();
        if (chosen.Length == 0)
            return words.Refuse("no trial has one of these names");
        if (PostgresPrograms.Find() is null)
            return words.Refuse("no PostgreSQL was found");
        var load = MachineWords.LoadNow();
        var tried = new ConcurrentDictionary<ServiceTrial, TriedChange>();
        await Parallel.ForEachAsync(chosen, new ParallelOptions { MaxDegreeOfParallelism = parallel }, async (trial, cancel) =>
        {
            var one = tried[trial] = await TriedChange.OfAsync(trial, cancel);
            Console.WriteLine(Row(one));
        });
        TriedChange[] rows = [.. chosen.Select(trial => tried[trial])];
        if (!dry)
            File.WriteAllText(Page, Write(MachineWords.Of([], load), rows));
        return new Goals()
            .AtMost("advised remedies that left more than two thirds of the time", rows.Count(one => one.Trial.IsAdvised && !one.Helped), 0)
            .AtMost("helpful ones that are not advised", rows.Count(one => !one.Trial.IsAdvised && one.Helped), 0)
            .Conclude();
    }

    static string Write(string machine, TriedChange[] rows)
    {
        var text = new StringBuilder($"""
            # Services, and their remedies tried

            Each service (`fixtures/Services`) ran as it is for 30 s, attached to after 6 s with the default of `report`, and once more with what
            is tried. The times are those of its callers, from when a request was due: 99 of 100 were answered within them, one that never was
            counts to the end; those of the healthy route `/ping` stand in brackets. Written by
            `dotnet run --project tests/Tpwatch.Benchmarks -c Release -- services`.

            {machine}

            | service | said | blocked in | 99% within | tried | 99% within then | |
            |---|---|---|---|---|---|---|

            """.ReplaceLineEndings("\n"));
        foreach (var row in rows)
            text.Append($"| {Row(row)} |\n");
        return text.ToString();
    }

    static string Row(TriedChange one) => $"{one.Trial.Scenario} | {ExpectationCheck.Word(one.Report.Verdict)} | "
        + $"{(one.Report.Blockers is [var first, ..] ? first.Chain : "nothing")} | "
        + $"{Times(one.Before)} | {one.Trial.Remedy} | {Times(one.After)} | {Came(one)}";

    static string Times(RunTruth truth) => string.Create(CultureInfo.InvariantCulture,
        $"{ServiceLoad.P99Ms(truth, isPing: false) / 1000:0.00} s ({ServiceLoad.P99Ms(truth, isPing: true) / 1000:0.00} s)");

    static string Came(TriedChange one) => (one.Trial.IsAdvised, one.Helped) switch
    {
        (true, true) => "helped",
        (true, false) => "USELESS",
        (false, true) => "not advised, THOUGH IT HELPS",
        (false, false) => "rightly not advised",
    };
}
