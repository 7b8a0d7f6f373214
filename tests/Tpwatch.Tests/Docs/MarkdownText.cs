using System.Text.RegularExpressions;
using Tpwatch.Tests.Structure;

namespace Tpwatch.Tests.Docs;

/// <summary>A page of the documentation: its marked parts, its links, its code.</summary>
/// <param name="Path">Relative to the root of the repository.</param>
/// <param name="Text">What stands in it, lines ended by a line feed.</param>
sealed partial record MarkdownText(string Path, string Text)
{
    public static MarkdownText Of(string path) =>
        new(path, File.ReadAllText(System.IO.Path.Combine(SourceTree.Root, path)).ReplaceLineEndings("\n"));

    /// <summary>What stands between the line <c>&lt;!-- name --&gt;</c> and the line <c>&lt;!-- /name --&gt;</c>.</summary>
    public string Part(string name)
    {
        var (from, to) = Bounds(name);
        return Text[from..to];
    }

    /// <summary>The page with another text between the marks.</summary>
    public MarkdownText With(string name, string part)
    {
        var (from, to) = Bounds(name);
        return this with { Text = Text[..from] + part + Text[to..] };
    }

    /// <summary>The page in its own words: without the parts that a program writes and another test compares.</summary>
    public MarkdownText Own => this with { Text = GeneratedPart.Replace(Text, " ") };

    /// <summary>Targets of links, as written.</summary>
    public IEnumerable<string> Links => Link.Matches(WithoutCode.Replace(Text, "")).Select(match => match.Groups["target"].Value);

    /// <summary>The code of blocks, a line each, and what stands between backticks.</summary>
    public IEnumerable<string> Code => Block.Matches(Text).SelectMany(block => block.Groups["code"].Value.Split('\n'))
        .Concat(Inline.Matches(Block.Replace(Text, "")).Select(span => span.Groups["code"].Value));

    /// <summary>The first cell of each row of every table whose head begins with <paramref name="column"/>.</summary>
    public IEnumerable<string> FirstCells(string column)
    {
        var inside = false;
        foreach (var line in Text.Split('\n'))
        {
            var cell = line.StartsWith('|') ? line.Split('|')[1].Trim() : null;
            inside = cell is not null && (inside || cell == column);
            if (inside && cell != column && !cell!.StartsWith("---", StringComparison.Ordinal))
            {
                yield return cell;
            }
        }
    }

    /// <summary>What a link to a heading of this page is called, for each of them.</summary>
    public IEnumerable<string> Anchors => Text.Split('\n').Where(line => line.StartsWith('#'))
        .Select(heading => NotInAnchors.Replace(heading.TrimStart('#', ' '), "").Replace(' ', '-').ToLowerInvariant());

    (int From, int To) Bounds(string name)
    {
        var (begin, end) = ($"<!-- {name} -->\n", $"<!-- /{name} -->");
        var from = Text.IndexOf(begin, StringComparison.Ordinal) + begin.Length;
        var to = Text.IndexOf(end, StringComparison.Ordinal);
        Assert.True(from >= begin.Length && to >= from, $"{Path} lacks the marks {begin.Trim()} and {end}");
        return (from, to);
    }

    [GeneratedRegex(@"(?<!!)\[[^\]\n]+\]\((?<target>[^)\s]+)\)")]
    static partial Regex Link { get; }

    [GeneratedRegex(@"^```\w*\n(?<code>.*?)\n```$", RegexOptions.Multiline | RegexOptions.Singleline)]
    static partial Regex Block { get; }

    [GeneratedRegex(@"`(?<code>[^`\n]+)`")]
    static partial Regex Inline { get; }

    [GeneratedRegex(@"<!-- (?<name>[\w ]+) -->.*?<!-- /\k<name> -->", RegexOptions.Singleline)]
    static partial Regex GeneratedPart { get; }

    [GeneratedRegex(@"[^\w\- ]")]
    static partial Regex NotInAnchors { get; }

    [GeneratedRegex(@"^```\w*\n.*?\n```$|`[^`\n]+`", RegexOptions.Multiline | RegexOptions.Singleline)]
    static partial Regex WithoutCode { get; }
}
