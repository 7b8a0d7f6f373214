using System.Text;
using System.Text.RegularExpressions;
using Tpwatch.Tests.Verbs;

namespace Tpwatch.Tests.Docs;

/// <summary>What <c>--help</c> of a verb prints, and what can be read off it.</summary>
static partial class HelpText
{
    /// <summary>Wider lines are broken in the documentation.</summary>
    const int Width = 116;

    /// <summary>Where descriptions would begin further right than this, each stands beneath what it describes instead.</summary>
    const int FurthestColumn = 56;

    const int Beneath = 8;

    public static readonly string[] Verbs = ["", "ps", "report", "record", "replay", "rules", "whatif", "serve", "demo"];

    public static async Task<string> OfAsync(string verb)
    {
        var run = await CommandRun.Of([.. verb.Split(' ', StringSplitOptions.RemoveEmptyEntries), "--help"]);
        Assert.Equal(0, run.Code);
        // The library names whatever program runs it, here that of the tests.
        return Program.Replace(run.Out.ReplaceLineEndings("\n"), "  dotnet tpwatch ").TrimEnd('\n') + "\n";
    }

    /// <summary>Every spelling of every option of a verb.</summary>
    public static async Task<HashSet<string>> OptionsAsync(string verb) =>
        [.. (await OfAsync(verb)).Split('\n').Where(line => line.StartsWith("  -", StringComparison.Ordinal))
            .SelectMany(line => Spelling.Matches(Names.Match(line).Value).Select(match => match.Value))];

    /// <summary>The same text with long lines broken, continued beneath where their last column begins.</summary>
    /// <remarks>How lines are broken is for readers alone; what is compared knows no difference.</remarks>
    public static string Broken(string help)
    {
        var text = new StringBuilder();
        foreach (var line in help.TrimEnd('\n').Split('\n'))
        {
            Break(text, line);
        }

        return text.ToString();
    }

    static void Break(StringBuilder text, string line)
    {
        var column = line.LastIndexOf("  ", StringComparison.Ordinal) + 2;
        if (column > FurthestColumn)
        {
            text.Append(line[..column].TrimEnd()).Append('\n');
            line = new string(' ', Beneath) + line[column..];
            column = Beneath;
        }

        while (line.Length > Width)
        {
            var at = line.LastIndexOf(' ', Width);
            text.Append(line[..at]).Append('\n');
            line = new string(' ', column) + line[(at + 1)..];
        }

        text.Append(line).Append('\n');
    }

    [GeneratedRegex(@"(?<=Usage:\n)  \S+ ")]
    static partial Regex Program { get; }

    [GeneratedRegex(@"^  \S.*?(?=  |$)")]
    static partial Regex Names { get; }

    [GeneratedRegex(@"(?<![\w-])--?[A-Za-z?][\w-]*")]
    static partial Regex Spelling { get; }
}
