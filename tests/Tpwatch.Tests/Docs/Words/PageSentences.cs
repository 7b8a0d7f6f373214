using System.Text.RegularExpressions;

namespace Tpwatch.Tests.Docs.Words;

/// <summary>The sentences of a page in its own words: of paragraphs, items of lists, cells of tables and headings.</summary>
static partial class PageSentences
{
    /// <summary>Stands where code stood: a name is one word, however long.</summary>
    public const string Name = "CODE";

    public static IEnumerable<string> Of(MarkdownText page) =>
        Blocks(Picture.Replace(Comment.Replace(Fenced.Replace(page.Own.Text, "\n"), "\n"), ""))
            .SelectMany(block => Ends.Split(Plain(block))).Select(sentence => sentence.Trim())
            .Where(sentence => sentence.Any(char.IsLetter));

    // Lines of one paragraph belong together; a heading, an item, a row and an empty line each begin something new.
    static IEnumerable<string> Blocks(string text)
    {
        var paragraph = "";
        foreach (var line in text.Split('\n'))
        {
            if (Begins.IsMatch(line))
            {
                yield return paragraph;
                paragraph = "";
            }

            if (line.StartsWith('|'))
            {
                foreach (var cell in line.Split('|'))
                {
                    yield return cell;
                }
            }
            else
            {
                paragraph += " " + Mark.Replace(line, "");
            }
        }

        yield return paragraph;
    }

    static string Plain(string block) => Link.Replace(Code.Replace(block, Name), "${text}").Replace("*", "", StringComparison.Ordinal);

    [GeneratedRegex(@"^```\w*\n.*?\n```$", RegexOptions.Multiline | RegexOptions.Singleline)]
    static partial Regex Fenced { get; }

    [GeneratedRegex("<!--.*?-->", RegexOptions.Singleline)]
    static partial Regex Comment { get; }

    [GeneratedRegex(@"!\[[^\]]*\]\([^)]*\)")]
    static partial Regex Picture { get; }

    [GeneratedRegex(@"\[(?<text>[^\]]+)\]\([^)\s]+\)")]
    static partial Regex Link { get; }

    [GeneratedRegex("`[^`\n]+`")]
    static partial Regex Code { get; }

    [GeneratedRegex(@"^\s*(?:$|#|\||- |\d+\. )")]
    static partial Regex Begins { get; }

    [GeneratedRegex(@"^\s*(?:#+ |- |\d+\. )")]
    static partial Regex Mark { get; }

    // A dot before a name such as .NET ends nothing.
    [GeneratedRegex(@"(?<=[\w%)\]""*][.!?]\)?)\s+")]
    public static partial Regex Ends { get; }
}
