using System.Globalization;
using System.Text.RegularExpressions;

namespace Tpwatch.Benchmarks.Figures;

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
