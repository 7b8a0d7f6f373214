using System.Globalization;

namespace Tpwatch.Benchmarks.Hostile;

/// <summary>What came of one case.</summary>
/// <param name="Case">The case.</param>
/// <param name="Harm">What it did; null where it held.</param>
/// <param name="How">In a sentence.</param>
sealed record CaseResult(HostileCase Case, Harm? Harm, string How);

/// <summary>Every case, and how one is tried.</summary>
static class HostileSuite
{
    /// <summary>Changed files a case, when nobody says.</summary>
    public const int ChangesEach = 60;

    public static IReadOnlyList<HostileCase> All(int changesEach = ChangesEach) =>
    [
        .. ArgumentCases.All(), .. SocketCases.All(), .. TargetCases.All(), .. FileCases.All(), .. DamageCases.All(changesEach),
        .. PartCases.All(), .. SideCarCases.All(), .. DescriptorCases.All(), .. TerminalCases.All(), .. LeftoverCases.All(),
    ];

    /// <summary>Tries one on a ground of its own.</summary>
    public static async Task<CaseResult> TryAsync(HostileCase one)
    {
        var ground = new Ground();
        await using (ground)
        {
            try
            {
                await one.Run(ground);
                ground.NothingIsLeft();
                return new(one, null, "");
            }
            catch (HarmDoneException e)
            {
                return new(one, e.Harm, e.Message);
            }
        }
    }

    /// <summary>The table of what was tried.</summary>
    public static IEnumerable<string> Table(IReadOnlyList<CaseResult> results) =>
    [
        "| kind | tried | hung | crashed | wrong code | left something behind |",
        "|---|---|---|---|---|---|",
        .. results.GroupBy(r => r.Case.Group).Select(g => Line(g.Key, [.. g])),
        Line("**all**", results),
    ];

    /// <summary>Which cases repeat which row of the first list of failures.</summary>
    public static IEnumerable<string> Rows(IReadOnlyList<CaseResult> results) =>
    [
        "| row | what failed at first | cases | held |",
        "|---|---|---|---|",
        .. FirstFailures.All.Select(row => Row(row.Number, row.What, [.. results.Where(r => r.Case.Rows.Contains(row.Number))])),
    ];

    static string Row(int number, string what, IReadOnlyList<CaseResult> mine)
    {
        var held = mine.Count(m => m.Harm is null);
        var said = mine.Count == 0 ? "not tried" : held == mine.Count ? "all" : held.ToString(CultureInfo.InvariantCulture);
        return string.Create(CultureInfo.InvariantCulture, $"| {number} | {what} | {mine.Count} | {said} |");
    }

    static string Line(string name, IReadOnlyList<CaseResult> results) => string.Create(CultureInfo.InvariantCulture,
        $"| {name} | {results.Count} | {Count(results, Harm.Hung)} | {Count(results, Harm.Crashed)} | {Count(results, Harm.WrongCode)} | "
            + $"{Count(results, Harm.LeftBehind)} |");

    static int Count(IReadOnlyList<CaseResult> results, Harm harm) => results.Count(r => r.Harm == harm);
}
