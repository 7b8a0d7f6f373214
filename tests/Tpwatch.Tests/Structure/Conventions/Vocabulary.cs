using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>
/// One vocabulary: types are called what users read, and comments are plain technical English with a named subject.
/// </summary>
static partial class Vocabulary
{
    /// <summary>Type names with a word that users read another one for.</summary>
    public static IEnumerable<string> Types(SourceFile file) =>
        from node in Product(file) ? file.Root.DescendantNodes().OfType<BaseTypeDeclarationSyntax>() : []
        where OldWord.IsMatch(node.Identifier.ValueText)
        select file.At(node, $"{node.Identifier.ValueText} has a word that the glossary replaces");

    /// <summary>Comments with a subject that names no thing, or a word that the glossary replaces.</summary>
    public static IEnumerable<string> Comments(SourceFile file) =>
        from trivia in Product(file) ? file.Root.DescendantTrivia() : []
        where trivia.ToFullString().TrimStart().StartsWith("//", StringComparison.Ordinal)
        let found = Vague.Match(trivia.ToFullString())
        where found.Success
        select file.At(trivia.Token.Parent!, $"'{found.Value}' in a comment");

    static bool Product(SourceFile file) => file.IsUnder("probes", "tool");

    [GeneratedRegex(@"(?:^|(?<=[a-z]))(?:Gap|Heartbeat|Backlog|Tick|Goal|Silent|Beside|Somebody|Nobody)(?=[A-Z]|s?$)")]
    static partial Regex OldWord { get; }

    [GeneratedRegex(@"\b(?:nobody|somebody|whoever|whom|beside|(?:is|are) told|so (?:many|long|much)(?! as)|the same(?:,| of| for)|"
        + @"heartbeats?|backlogs?)\b", RegexOptions.IgnoreCase)]
    static partial Regex Vague { get; }
}
