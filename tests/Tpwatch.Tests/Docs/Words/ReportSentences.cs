using System.Text.RegularExpressions;

namespace Tpwatch.Tests.Docs.Words;

/// <summary>The sentences that a report says to its reader: cause, headline, findings, remedies, what is missing and what-if.</summary>
static partial class ReportSentences
{
    /// <summary>The sentences of a text; commands, settings, moments and names of a program's own are one word each.</summary>
    public static IEnumerable<string> Split(string text) => PageSentences.Ends.Split(Code.Replace(text, PageSentences.Name))
        .Select(sentence => sentence.Trim()).Where(sentence => sentence.Any(char.IsLetter));

    /// <summary>The lines of a text, moments and settings being one word each.</summary>
    public static IEnumerable<string> Lines(string text) =>
        Code.Replace(Continued.Replace(text, " "), PageSentences.Name).Split('\n').Where(line => line.Length > 0);

    /// <summary>The sentences of a verb's help: what stands beside its options and arguments, and what it does.</summary>
    public static IEnumerable<string> OfHelp(string help) =>
        Wrapped.Replace(help, " ").Split('\n')
            .Select(line => Quoted.Replace(Option.Replace(line, ""), PageSentences.Name).Trim()).SelectMany(Split);

    // A line that goes on begins where the texts beside the labels do, or those below a finding or a row.
    [GeneratedRegex(@"\n(?: {14}| {6,7}(?=\S))")]
    static partial Regex Continued { get; }

    [GeneratedRegex(@"(?<=[^\n])\n(?: {14,}|(?=\w))")]
    static partial Regex Wrapped { get; }

    [GeneratedRegex("'[^' ]+'")]
    static partial Regex Quoted { get; }

    [GeneratedRegex(@"^  \S.*?(?:  +|$)")]
    static partial Regex Option { get; }

    [GeneratedRegex(@"dotnet tpwatch report -p \w+ --depth \w+|dotnet-trace collect -p \w+|\d{4}-\d\d-\d\dT[\d:.]+Z"
        + @"|\b\d\d:\d\d:\d\d\.\d+\b|\bDOTNET_\w+(?:=\w+)?"
        + @"|""?System\.[\w.]+""?(?::? ?=? ?\w+)?|runtimeconfig\.json")]
    static partial Regex Code { get; }
}
