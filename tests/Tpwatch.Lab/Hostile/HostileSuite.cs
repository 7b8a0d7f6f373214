using Tpwatch.Core;

namespace Tpwatch.Lab.Hostile;

/// <summary>What harm one case did, in a sentence; null where it held.</summary>
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
        var said = mine.Count == 0 ? "not tried" : held == mine.Count ? "all" : $"{held}";
        return $"| {number} | {what} | {mine.Count} | {said} |";
    }

    static string Line(string name, IReadOnlyList<CaseResult> results) =>
        $"| {name} | {results.Count} | {Count(results, Harm.Hung)} | {Count(results, Harm.Crashed)} "
            + $"| {Count(results, Harm.WrongCode)} | {Count(results, Harm.LeftBehind)} |";

    static int Count(IReadOnlyList<CaseResult> results, Harm harm) => results.Count(r => r.Harm == harm);
}

/// <summary>What can go wrong with a case.</summary>
enum Harm
{
    /// <summary>It did not end in its time.</summary>
    Hung,

    /// <summary>It ended with a bug, an abort or a fault.</summary>
    Crashed,

    /// <summary>It ended with another exit code than is promised, or said something else.</summary>
    WrongCode,

    /// <summary>A session in the target, a file or a process is still there.</summary>
    LeftBehind,
}

/// <summary>A case that did harm.</summary>
sealed class HarmDoneException(Harm harm, string how) : Exception(how)
{
    public Harm Harm { get; } = harm;

    public static void If(bool isDone, Harm harm, string how)
    {
        if (isDone)
            throw new HarmDoneException(harm, how);
    }
}

/// <summary>Something hostile that is done to the tool.</summary>
/// <param name="Group">What kind of hostility.</param>
/// <param name="Name">What is done.</param>
/// <param name="Rows">Which rows of the first list of failures it repeats; empty where it held already.</param>
/// <param name="Run">Does it; throws <see cref="HarmDoneException"/>.</param>
sealed record HostileCase(string Group, string Name, int[] Rows, Func<Ground, Task> Run)
{
    /// <summary>Whether it is quick enough for every test run.</summary>
    public bool Fast { get; init; } = true;
}

/// <summary>How a run of the tool ended.</summary>
sealed record ToolResult(int Code, string Out, string Error)
{
    const int Abort = 134;
    const int Fault = 139;

    /// <summary>It ended with one of these codes, and not with a bug.</summary>
    public ToolResult Is(params int[] codes)
    {
        HarmDoneException.If(Code is (int)ExitCode.Bug or Abort or Fault || Error.Contains("Unhandled exception", StringComparison.Ordinal),
            Harm.Crashed, $"code {Code}: {Error}");
        HarmDoneException.If(!codes.Contains(Code), Harm.WrongCode, $"code {Code}: {Error}{Out}");
        return this;
    }

    /// <summary>It says this, in a result or a sentence.</summary>
    public ToolResult Says(string words) => (Out + Error).Contains(words, StringComparison.Ordinal)
        ? this
        : throw new HarmDoneException(Harm.WrongCode, $"does not say '{words}': {Error}{Out}");

    /// <summary>It does not say this.</summary>
    public ToolResult Omits(string words) => (Out + Error).Contains(words, StringComparison.Ordinal)
        ? throw new HarmDoneException(Harm.WrongCode, $"says '{words}': {Error}{Out}")
        : this;

    /// <summary>No character in it steers a terminal or begins a line for a build server.</summary>
    public ToolResult Clean() =>
        (Out + Error).Any(c => c is '\e' or '\u009b' or '\a') || (Out + Error).Contains("\n::error::", StringComparison.Ordinal)
            ? throw new HarmDoneException(Harm.WrongCode, $"a control character: {Error}{Out}")
            : this;
}

/// <summary>What failed when the tool was first tried with hostile hands, on 2026-11-22.</summary>
static class FirstFailures
{
    public static readonly (int Number, string What)[] All =
    [
        (1, "a temporary folder of 256 kB: the report was lost to a burst of stacks"),
        (2, "two recordings shared one file of items; any foreign one was accepted"),
        (3, "escape sequences in names reached terminals and logs"),
        (4, "standard error closed: aborted"),
        (5, "Ctrl+\\ left the alternate screen"),
        (6, "`record` replaced what lay beside FILE"),
        (7, "`report -o` destroyed a part of its recording"),
        (8, "two `record -o same` at once wrote into one file"),
        (9, "items cut off were told as none"),
        (10, "an output that nobody reads kept the session open after SIGINT"),
        (11, "a file, pipe or stranger's socket under the name of the target's was taken"),
        (12, "side-cars that lie: bugs, 4 GB, hangs"),
        (13, "a pipe as recording or as output hung"),
        (14, "`report /proc/self/mem` was a bug"),
        (15, "`whatif` on a header alone blamed the arguments"),
        (16, "misleading sentences and impossible figures"),
        (17, "few files: ended without a word"),
        (18, "what a killed tool left stayed"),
        (19, "one-shot verbs left a terminal in keypad mode"),
    ];
}
