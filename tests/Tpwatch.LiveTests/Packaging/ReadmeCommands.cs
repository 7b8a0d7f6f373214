using System.Text.RegularExpressions;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>What the README tells a user to type, as it is written there.</summary>
static partial class ReadmeCommands
{
    /// <summary>A line of them installs the package.</summary>
    const string Installs = "dotnet tool install ";

    /// <summary>A line of them runs the tool from a clone.</summary>
    const string Runs = "dotnet run --project tool ";

    /// <summary>What one types after a clone, a line each.</summary>
    public static string[] AfterAClone { get; } = BlockWith(Runs);

    /// <summary>From the package to the first run of the installed tool, a line each.</summary>
    public static string[] Installation { get; } = BlockWith(Installs);

    /// <summary>The whole page.</summary>
    public static string Page => File.ReadAllText(Path.Combine(SourceBuild.Root, "README.md")).ReplaceLineEndings("\n");

    /// <summary>Files that links of a page lead to; addresses and places on the page itself are none.</summary>
    public static IEnumerable<string> FilesLinkedFrom(string page) =>
        Link.Matches(page).Select(link => link.Groups["file"].Value).Distinct();

    /// <summary>The line that makes the package.</summary>
    public static string Pack => Installation.Single(line => line.StartsWith("dotnet pack ", StringComparison.Ordinal));

    /// <summary>What follows the packing, with another place to take the package from.</summary>
    public static IEnumerable<string> AfterPacking(string source) => Installation.SkipWhile(line => line != Pack).Skip(1)
        .Select(line => !line.StartsWith(Installs, StringComparison.Ordinal) ? line
            : Source.IsMatch(line) ? Source.Replace(line, _ => "--add-source " + source)
            : $"{line} --add-source {source}");

    /// <summary>What runs the tool of a package that is not installed, without the tool's own words.</summary>
    public static string WithoutInstalling(string source)
    {
        var line = Blocks().SelectMany(block => block).Single(line => line.StartsWith("dnx ", StringComparison.Ordinal)
            && Source.IsMatch(line)).Split(" #")[0];
        return Source.Replace(line, _ => "--add-source " + source).Replace(" ps", "", StringComparison.Ordinal);
    }

    static string[] BlockWith(string beginning) =>
        Blocks().First(block => block.Any(line => line.StartsWith(beginning, StringComparison.Ordinal)));

    static IEnumerable<string[]> Blocks() =>
        from block in Block.Matches(Page)
        select block.Groups["code"].Value.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    [GeneratedRegex(@"^```sh\n(?<code>.*?)\n```$", RegexOptions.Multiline | RegexOptions.Singleline)]
    static partial Regex Block { get; }

    [GeneratedRegex(@"\]\((?<file>[^)#:\s]+)(?:#[^)\s]*)?\)")]
    static partial Regex Link { get; }

    [GeneratedRegex(@"--(?:add-)?source \S+")]
    static partial Regex Source { get; }
}
