using System.Collections.Immutable;
using Tpwatch.LiveTests.Packaging;

namespace Tpwatch.LiveTests.Inside;

/// <summary>The documented table of what is known on which runtime.</summary>
sealed record InsideTable(ImmutableDictionary<string, ImmutableArray<string>> Rows)
{
    /// <summary>The row about the owners of locks.</summary>
    public const string Locks = "locks";

    const string Heading = "## What is known on which runtime";

    static readonly ImmutableArray<TargetRuntime> Columns =
        [TargetRuntime.Net8, TargetRuntime.Net9, TargetRuntime.Net10, TargetRuntime.Net11];

    /// <summary>Reads the page.</summary>
    public static InsideTable Read()
    {
        var text = File.ReadAllText(Path.Combine(SourceBuild.Root, "docs", "inside.md")).ReplaceLineEndings("\n");
        var rows = text.Split(Heading + "\n")[1].Split("\n## ")[0].Split('\n').Where(line => line.StartsWith('|'))
            .Select(line => line.Trim('|').Split('|').Select(cell => cell.Trim()).ToImmutableArray()).ToArray();
        Assert.Equal([".NET 8", ".NET 9", ".NET 10", ".NET 11"], rows[0].Skip(1));
        return new(rows.Skip(2).ToImmutableDictionary(row => row[0], row => row[1..]));
    }

    /// <summary>What stands about a part and a runtime.</summary>
    public string Cell(string part, TargetRuntime runtime) => Rows[part][Columns.IndexOf(runtime)];
}
