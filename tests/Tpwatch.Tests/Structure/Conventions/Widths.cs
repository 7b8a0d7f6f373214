using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>A line fits into one of two windows side by side. Files and methods may be as long as what they do.</summary>
static class Widths
{
    const int Columns = 140;

    /// <summary>Lines that are too wide, those of texts that stand as they are written (raw literals) left out.</summary>
    public static IEnumerable<string> Breaches(SourceFile file)
    {
        var raw = file.Root.DescendantNodes().Where(IsRaw).Select(node => node.GetLocation().GetLineSpan()).ToArray();
        return file.Lines.Select((line, i) => (line.Length, Index: i))
            .Where(line => line.Length > Columns
                && !raw.Any(span => span.StartLinePosition.Line <= line.Index && line.Index <= span.EndLinePosition.Line))
            .Select(line => $"{file.Path}:{line.Index + 1}: {line.Length} columns, limit {Columns}");
    }

    static bool IsRaw(SyntaxNode node) => node switch
    {
        LiteralExpressionSyntax literal => literal.Token.Text.StartsWith("\"\"\"", StringComparison.Ordinal),
        InterpolatedStringExpressionSyntax text => text.StringStartToken.Text.Contains("\"\"\"", StringComparison.Ordinal),
        _ => false,
    };
}
