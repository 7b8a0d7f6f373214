using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Tpwatch.Tests.Structure;

/// <summary>A text file of the repository; <paramref name="Path"/> is relative to its root, with forward slashes.</summary>
sealed record SourceFile(string Path, string Text)
{
    static readonly CSharpParseOptions Options = new(LanguageVersion.Preview, DocumentationMode.None);

    readonly Lazy<SyntaxNode> _root = new(() => CSharpSyntaxTree.ParseText(Text, Options).GetRoot());

    public SyntaxNode Root => _root.Value;

    public bool IsCSharp => Path.EndsWith(".cs", StringComparison.Ordinal);

    /// <summary>What is compiled, without comments and white space.</summary>
    public string Code => string.Concat(Root.DescendantTokens().Select(token => token.Text));

    public string[] Lines => Text.TrimEnd('\n').Split('\n');

    public bool IsUnder(params ReadOnlySpan<string> folders)
    {
        foreach (var folder in folders)
            if (Path.StartsWith(folder + "/", StringComparison.Ordinal))
                return true;
        return false;
    }

    public string At(SyntaxNode node, string what) => $"{Path}:{node.GetLocation().GetLineSpan().StartLinePosition.Line + 1}: {what}";
}
