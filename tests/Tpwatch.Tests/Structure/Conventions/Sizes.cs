using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>
/// What is read in one sitting: a file of the product of at most 200 lines, another of 250, a method of at most 40; the program itself 60.
/// </summary>
static class Sizes
{
    const int FileLimit = 250;

    /// <summary>The product: what one window shows while somebody is tired.</summary>
    const int ProductLimit = 200;
    const int MethodLimit = 40;

    /// <summary>What two windows beside one another show.</summary>
    const int Columns = 140;
    const int ProgramLimit = 60;

    /// <summary>`path` or `path:Method`, each with the reason why it may be longer.</summary>
    static readonly Dictionary<string, string> Excused = [];

    public static IEnumerable<string> Breaches(SourceFile file)
    {
        var limit = file.Path == "tool/Program.cs" ? ProgramLimit : file.IsUnder("probes", "tool") ? ProductLimit : FileLimit;
        if (file.Lines.Length > limit && !Excused.ContainsKey(file.Path))
            yield return $"{file.Path}: {file.Lines.Length} lines, limit {limit}";
        foreach (var node in file.Root.DescendantNodes())
            if (NameOfMethod(node) is { } name && LinesOf(node) is var lines
                && lines > MethodLimit && !Excused.ContainsKey($"{file.Path}:{name}"))
                yield return file.At(node, $"{name} has {lines} lines, limit {MethodLimit}");
    }

    /// <summary>The lengths of its methods, constructors and local functions, lines; properties, which are shorter, do not count.</summary>
    public static IEnumerable<int> OfMethods(SourceFile file) => file.Root.DescendantNodes()
        .Where(node => node is BaseMethodDeclarationSyntax or LocalFunctionStatementSyntax).Select(LinesOf);

    /// <summary>Lines that are too wide, those of texts that stand as they are written (raw literals) left out.</summary>
    public static IEnumerable<string> TooWide(SourceFile file)
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

    static string? NameOfMethod(SyntaxNode node) => node switch
    {
        MethodDeclarationSyntax method => method.Identifier.ValueText,
        LocalFunctionStatementSyntax function => function.Identifier.ValueText,
        ConstructorDeclarationSyntax constructor => constructor.Identifier.ValueText,
        PropertyDeclarationSyntax { ExpressionBody: not null } property => property.Identifier.ValueText,
        AccessorDeclarationSyntax accessor => accessor.Keyword.ValueText,
        OperatorDeclarationSyntax operation => operation.OperatorToken.ValueText,
        _ => null,
    };

    static int LinesOf(SyntaxNode node)
    {
        var span = node.GetLocation().GetLineSpan();
        return span.EndLinePosition.Line - span.StartLinePosition.Line + 1;
    }
}
