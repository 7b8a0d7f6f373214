using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>
/// The ledger judges. What it says is built in Wording, from the facts that it found: no text of its own has a space and ends with a full
/// stop.
/// </summary>
static class Sentences
{
    public static IEnumerable<string> Breaches(SourceFile file) =>
        from node in file.IsUnder("probes/Ledger") ? file.Root.DescendantNodes() : []
        let text = node switch
        {
            LiteralExpressionSyntax literal when literal.IsKind(SyntaxKind.StringLiteralExpression) => literal.Token.ValueText,
            InterpolatedStringExpressionSyntax parts => string.Concat(parts.Contents.Select(part =>
                part is InterpolatedStringTextSyntax words ? words.TextToken.ValueText : "x")),
            _ => "",
        }
        where text.Contains(' ') && text.TrimEnd().EndsWith('.')
        select file.At(node, $"a sentence in the ledger: {text}");
}
