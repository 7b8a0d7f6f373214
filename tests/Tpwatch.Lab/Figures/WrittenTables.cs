using System.Globalization;
using System.Text.RegularExpressions;
using Tpwatch.Core;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Lab.Figures;

/// <summary>A page that commands have written, read again: what other texts tell of a measurement comes from its tables.</summary>
sealed partial class WrittenTables(string text)
{
    /// <summary>Whether anything was written under that name.</summary>
    public bool Has(string name) => text.Contains($"<!-- {name}: generated -->\n", StringComparison.Ordinal);

    /// <summary>Throws when nothing was written under that name.</summary>
    public string Section(string name)
    {
        var (begin, end) = ($"<!-- {name}: generated -->\n", $"<!-- {name}: end -->\n");
        var (from, to) = (text.IndexOf(begin, StringComparison.Ordinal), text.IndexOf(end, StringComparison.Ordinal));
        return from >= 0 && to > from
            ? text[(from + begin.Length)..to]
            : throw new InvalidOperationException($"no command has written the section {name} yet");
    }

    /// <summary>A cell of the first row of a section that begins so; columns from 1 on, behind the row's name.</summary>
    public string Cell(string section, string row, int column) =>
        Section(section).Split('\n')
            .FirstOrDefault(line => line.StartsWith($"| {row} |", StringComparison.Ordinal))?.Split('|')[column + 1].Trim()
        ?? throw new InvalidOperationException($"the section {section} has no row {row}");

    /// <summary>The numbers of a cell, in their order.</summary>
    public double[] Numbers(string section, string row, int column) => NumbersOf(Cell(section, row, column));

    /// <summary>The first of them.</summary>
    public double Number(string section, string row, int column) => Numbers(section, row, column)[0];

    /// <summary>The machine that a section was written on.</summary>
    public string Machine(string section) => MachineLine.Match(Section(section)).Groups["words"].Value;

    /// <summary>Thousands are set apart by a space.</summary>
    public static double[] NumbersOf(string words) =>
        [.. AnyNumber.Matches(words)
            .Select(number => double.Parse(number.Value.Replace(" ", "", StringComparison.Ordinal), CultureInfo.InvariantCulture))];

    [GeneratedRegex(@"\d{1,3}(?: \d{3})+(?!\d)|\d+(?:\.\d+)?")]
    static partial Regex AnyNumber { get; }

    // The clock's step is told where it was learned.
    [GeneratedRegex(@"^(?<words>\d+ processors, .*?; load [^;|]*?)\.(?: |$)", RegexOptions.Multiline)]
    static partial Regex MachineLine { get; }
}

/// <summary>A part of a page, between marks of that name, that tells of the figures of tests/SCORES.md.</summary>
sealed record PricePart(string Page, string Name, Func<WrittenTables, string> Text);

/// <summary>What watching costs, for users: in full for those who ask, and in a table on the first page.</summary>
static class PriceParts
{
    const double Kilobyte = 1000;

    public static IReadOnlyList<PricePart> All { get; } =
        [new("docs/cost.md", "price", InFull), new("README.md", "price short", InShort)];

    public static string InShort(WrittenTables scores) => $"""
        | what | cost to the process |
        |---|---|
        | watching an idle process | {Idle(scores, ".NET 10", 2):0.0} ms of processor time and {Idle(scores, ".NET 10", 3) / Kilobyte:0.0} kB of events a second (.NET 8: {Idle(scores, ".NET 8", 2):0.0} ms, {Idle(scores, ".NET 8", 3) / Kilobyte:0.0} kB) |
        | watching a process that runs {ItemsPerSecond(scores)} items a second | The process keeps {scores.Numbers(PricePage.Name, PricePage.Basic, 1)[0] * 100:0}% of its throughput |
        | `--depth stacks` | Two bursts of stack samples, and more while items wait. With up to {DepthPrice.BurstThreads} threads, each burst pauses the process for about {DepthPrice.BurstMs} ms in total. With hundreds of threads, the pause is hardly longer |
        | `--depth items` | Two events per item. A process saturated with {DepthPrice.ItemsPerSecond} items a second keeps {DepthPrice.ItemsShare} of its throughput (.NET 8: {DepthPrice.ItemsWithStacksShare}) |
        | `--depth requests` | Two events per request. At full load, a server kept about {DepthPrice.RequestsShare} of its throughput |

        """.ReplaceLineEndings("\n");

    public static string InFull(WrittenTables scores)
    {
        var nothing = scores.Numbers(PricePage.Name, PricePage.Nothing, 1);
        return $"""
            Measured on {Machine(scores)} (`dotnet run -c Release --project tests/Tpwatch.Lab -- price --write`):

            | what | without | with the basic session and one counter sample a second |
            |---|---|---|
            | processor time per second of an idle target | {Idle(scores, ".NET 10", 1):0.00} ms | {Idle(scores, ".NET 10", 2):0.0} ms |
            | the same for a target on .NET 8 | {Idle(scores, ".NET 8", 1):0.00} ms | {Idle(scores, ".NET 8", 2):0.0} ms |
            | event stream of an idle target | none | {Idle(scores, ".NET 10", 3) / Kilobyte:0.0} kB a second |
            | the same for a target on .NET 8 | none | {Idle(scores, ".NET 8", 3) / Kilobyte:0.0} kB a second |
            | throughput of a target saturated with {ItemsPerSecond(scores)} items a second, as a share of its throughput without a session | {Share(nothing)} | {Share(scores, PricePage.Basic)} |
            | the same for a saturated target on .NET 8 | | {Share(scores, PricePage.BasicOnNet8)} |

            Throughput means items per second of the target's processor time.
            Each share is the median of {nothing[3]:0} pairs of runs, with the lowest and the highest in parentheses. A pair is a run without a session, followed by one with it.
            In the throughput rows, the column "without" compares two runs without a session, so its difference from 1 is chance.
            The runtime sends an event each time a worker thread runs out of work items. Where that happens often, the cost is higher.
            Without the screen, tpwatch prints lines: 95 % of them appear within {scores.Number(LatencyPage.Name, "Starvation", 1):0} ms of the event.

            """.ReplaceLineEndings("\n");
    }

    static double Idle(WrittenTables scores, string runtime, int column) => scores.Number(PricePage.Name, PricePage.Idle + runtime, column);

    /// <summary>Two digits are what a second run on the same machine repeats.</summary>
    static string ItemsPerSecond(WrittenTables scores) =>
        Format.Count((long)(Math.Round(scores.Number(PricePage.Name, PricePage.Rate, 1) / 10_000) * 10_000));

    static string Share(double[] share) => $"{share[0]:0.00} ({share[1]:0.00} to {share[2]:0.00})";

    static string Share(WrittenTables scores, string session) => Share(scores.Numbers(PricePage.Name, session, 1));

    /// <summary>Without the clock and the load, which say nothing to a user.</summary>
    static string Machine(WrittenTables scores) =>
        string.Join(
            ", ", scores.Machine(PricePage.Name).Split(';')[0].Split(", ")
                .Where(word => !word.StartsWith("clock step", StringComparison.Ordinal)));
}
