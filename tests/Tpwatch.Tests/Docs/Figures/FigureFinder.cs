using System.Text.RegularExpressions;

namespace Tpwatch.Tests.Docs.Figures;

/// <summary>Finds what looks like a figure in prose: a number with a unit, a part of something, or with a decimal point.</summary>
static partial class FigureFinder
{
    /// <summary>Each as it is written; white space is one blank.</summary>
    public static IEnumerable<string> Of(string prose) =>
        Number.Matches(OneLine(prose)).Select(figure => figure.Value.Trim()).Where(figure => Telling.IsMatch(figure));

    /// <summary>A time in words that nobody can compare.</summary>
    public static IEnumerable<string> Vague(string prose) => InWords.Matches(OneLine(prose)).Select(words => words.Value);

    /// <summary>
    /// What a page says in its own words: without code, links' targets, and the parts that a program writes and another test compares.
    /// </summary>
    public static string Prose(MarkdownText page) => Target.Replace(Code.Replace(page.Own.Text, " "), "]");

    /// <summary>What a help says: without the forms of options, their examples and their standards, which are the program's own.</summary>
    public static string HelpProse(string help) => Standard.Replace(Form.Replace(help, " "), " ");

    static string OneLine(string text) => Space.Replace(text, " ");

    // Not part of a word, of a version or of a path; "30 to 60 ms" and "3 of 4" are one figure each.
    [GeneratedRegex(
        @"(?<![\w.#/-])\d+(?: \d{3})*(?:\.\d+)?(?:(?: to| of) \d+(?:\.\d+)?)?"
            + @"(?: ?%| ?(?:ms|s|seconds?|minutes?|hours?|days?|[kMG]B|bytes|thousand|million|lines|times)\b)?(?![\w-]|\.\d)")]
    static partial Regex Number { get; }

    [GeneratedRegex(@"[.%a-z]", RegexOptions.IgnoreCase)]
    static partial Regex Telling { get; }

    [GeneratedRegex(@"\b(?:a few|several|half an?|about an?|a tenth of a|a quarter of a) (?:milliseconds|seconds?|minutes?|hours?)\b",
        RegexOptions.IgnoreCase)]
    static partial Regex InWords { get; }

    [GeneratedRegex(@"^```\w*\n.*?\n```$|`[^`\n]+`", RegexOptions.Multiline | RegexOptions.Singleline)]
    static partial Regex Code { get; }

    [GeneratedRegex(@"\]\([^)\s]+\)")]
    static partial Regex Target { get; }

    [GeneratedRegex(@"<[^<>]+>|(?<!\w)'[^']+'")]
    static partial Regex Form { get; }

    [GeneratedRegex(@"\(default:\s+[^()]*\)|Default:\s+\S+")]
    static partial Regex Standard { get; }

    [GeneratedRegex(@"\s+")]
    static partial Regex Space { get; }
}
