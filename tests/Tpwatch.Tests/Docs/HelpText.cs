using System.Text.RegularExpressions;
using Tpwatch.Cli;
using Tpwatch.Tests.Verbs;

namespace Tpwatch.Tests.Docs;

/// <summary>What <c>--help</c> of a verb prints, and what can be read off it.</summary>
static partial class HelpText
{
    public static readonly string[] Verbs =
        ["", "ps", "report", "record", "replay", "rules", "whatif", "compare", "serve", "mcp", "demo", "completion", "help"];

    /// <summary>What <c>help TOPIC</c> prints, for every topic.</summary>
    public static string Topics => string.Join('\n', HelpTopic.All.Select(t => $"$ dotnet tpwatch help {t.Name}\n{t.Text(100)}"));

    public static async Task<string> OfAsync(string verb)
    {
        var run = await CommandRun.Of([.. verb.Split(' ', StringSplitOptions.RemoveEmptyEntries), "--help"]);
        Assert.Equal(0, run.Code);
        return run.Out;
    }

    /// <summary>Every spelling of every option of a verb.</summary>
    public static async Task<HashSet<string>> OptionsAsync(string verb) =>
        [.. (await OfAsync(verb)).Split('\n').Where(line => line.StartsWith("  -", StringComparison.Ordinal))
            .SelectMany(line => Spelling.Matches(Names.Match(line).Value).Select(match => match.Value))];

    [GeneratedRegex(@"^  \S.*?(?=  |$)")]
    static partial Regex Names { get; }

    [GeneratedRegex(@"(?<![\w-])--?[A-Za-z?][\w-]*")]
    static partial Regex Spelling { get; }
}
