using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Tpwatch.Tests.Structure;

namespace Tpwatch.Tests.Docs.Words;

/// <summary>
/// What the engine and the tool can say at all, as it stands in their source: also errors, hints and remarks that no recording
/// brings about. A text that is put together with <c>+</c> is one; what is filled in is one name.
/// </summary>
static partial class SourceTexts
{
    /// <summary>Fewer words are a label, a key or a field of a format.</summary>
    const int FewestWords = 3;

    /// <summary>What only a fault of the program itself says.</summary>
    static readonly HashSet<string> Faults = ["UnreachableException", "ArgumentException", "ArgumentOutOfRangeException",
        "InvalidOperationException", "NotSupportedException", "FormatException", "ObjectDisposedException"];

    public static IEnumerable<(string At, string Text)> All => SourceTree.CSharp.Where(file => file.IsUnder("tool", "probes"))
        .SelectMany(file => Of(file.Root).Select(one => (file.At(one.Node, "").TrimEnd(), one.Text)));

    /// <summary>The texts of a piece of code.</summary>
    public static IEnumerable<(SyntaxNode Node, string Text)> Of(SyntaxNode root) => root.DescendantNodes()
        .Where(node => IsText(node) && !IsPart(node) && !IsForMachines(node))
        .Select(node => (node, Text: Written((ExpressionSyntax)node))).Where(one => IsProse(one.Text));

    /// <summary>The sentences of a text; what a user types, quotes or reads as a name of its own is one word each.</summary>
    public static IEnumerable<string> Sentences(string text) =>
        Inline.Replace(text, "").Split('\n').SelectMany(line => Tag.Replace(line, "\n").Split('\n'))
            .SelectMany(line => ReportSentences.Split(Typed.Replace(line, PageSentences.Name)));

    static bool IsText(SyntaxNode node) => node is InterpolatedStringExpressionSyntax
        || node.IsKind(SyntaxKind.StringLiteralExpression)
        || node is BinaryExpressionSyntax sum && sum.IsKind(SyntaxKind.AddExpression) && (IsText(sum.Left) || IsText(sum.Right));

    // Parts of a sum are told with the whole of it.
    static bool IsPart(SyntaxNode node) => node.Parent is BinaryExpressionSyntax sum && IsText(sum);

    static bool IsForMachines(SyntaxNode node) => node.Ancestors().Any(above => above is AttributeSyntax
        || above is ObjectCreationExpressionSyntax made && Faults.Contains(made.Type.ToString()));

    static string Written(ExpressionSyntax text) => text switch
    {
        BinaryExpressionSyntax sum => Written(sum.Left) + Written(sum.Right),
        LiteralExpressionSyntax literal when literal.IsKind(SyntaxKind.StringLiteralExpression) => literal.Token.ValueText,
        InterpolatedStringExpressionSyntax mixed => string.Concat(mixed.Contents.Select(content =>
            content is InterpolatedStringTextSyntax plain ? plain.TextToken.ValueText : PageSentences.Name)),
        _ => PageSentences.Name,
    };

    static bool IsProse(string text) => Word.Count(Tag.Replace(text, "\n")) >= FewestWords;

    [GeneratedRegex(@"(?<=^|[\s('])[A-Za-z][a-z]+(?=$|[\s.,:;)'])", RegexOptions.Multiline)]
    static partial Regex Word { get; }

    [GeneratedRegex("</?(?:a|b|bdi|code|i|kbd|small|span|time)(?: [^>]*)?>")]
    static partial Regex Inline { get; }

    [GeneratedRegex("<[^>]+>")]
    static partial Regex Tag { get; }

    // Commands, options with their value, what is typed after a colon or a slash, what stands in quotes.
    [GeneratedRegex(@"'[^']+'|`[^`]+`|--?[a-z][\w-]*(?: [A-Z][A-Z|]*\b| CODE)?|(?<![\w.]):[a-z]\w*(?: [a-z\d?]+)*"
        + @"|!?\b[a-z]+[<>]\d+|![a-z]+\b|\b\d\d:\d\d(?::\d\d(?:\.\d+)?)?\b|#\d+|[+-]?\d+(?:\.\d+)?(?:ms|s|m|h|kB|MB|GB)\b")]
    static partial Regex Typed { get; }
}
