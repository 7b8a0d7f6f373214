namespace Tpwatch.Benchmarks.Remedies;

/// <summary>A page's table, all of which was made now, or only some rows of it while the others stay.</summary>
/// <param name="Rows">The rows, as lines.</param>
/// <param name="Machines">What is said of the machine and the commit, a paragraph each.</param>
sealed record KeptRows(string[] Rows, string[] Machines)
{
    /// <param name="page">The page as it is; it must exist if only a part was made.</param>
    /// <param name="fresh">The rows that were made now; the first cell is a row's name.</param>
    /// <param name="isPart">Whether the other rows stay.</param>
    /// <param name="machine">What is said of the machine now.</param>
    public static KeptRows Of(string page, string[] fresh, bool isPart, string machine)
    {
        if (!isPart)
            return new(fresh, [machine]);
        var before = File.ReadAllLines(page);
        return new(
            [
                .. before.Where(line => line.StartsWith("| ", StringComparison.Ordinal)).Skip(1)
                    .Select(line => Array.Find(fresh, row => Name(row) == Name(line)) ?? line),
            ],
            [
                .. before.Where(line => line.Contains(" processors, ", StringComparison.Ordinal)),
                $"Met again: {string.Join(", ", fresh.Select(Name))}. {machine}",
            ]);
    }

    static string Name(string row) => row.Split('|')[1].Trim();
}
