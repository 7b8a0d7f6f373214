using System.Net;
using System.Text.RegularExpressions;

namespace Tpwatch.Tests.Docs.Words;

/// <summary>
/// What a page says to its reader, also to one who hears it: texts and labels, without style, script and drawings.
/// </summary>
static partial class PageTexts
{
    public static string Of(string page) => WebUtility.HtmlDecode(
        string.Join('\n', Label.Matches(page).Select(match => match.Groups["text"].Value)) + "\n"
        + Drawing.Replace(NotText.Replace(page, "\n"), "\n"));

    /// <summary>Rows of evidence that have neither a number nor a source.</summary>
    public static IEnumerable<string> EmptyEvidence(string page) =>
        Empty.Matches(page).Select(match => $"evidence without a value or a source: {match.Value}");

    [GeneratedRegex("aria-label=\"(?<text>[^\"]+)\"")]
    static partial Regex Label { get; }

    [GeneratedRegex("<(?:style|script)[^>]*>.*?</(?:style|script)>", RegexOptions.Singleline)]
    static partial Regex NotText { get; }

    [GeneratedRegex("<(?:path|rect|circle)[^>]*/>")]
    static partial Regex Drawing { get; }

    [GeneratedRegex("<tr><th scope=\"row\">[^<]*<td class=\"n\">[^<]*<td><small></small>")]
    static partial Regex Empty { get; }
}
