using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>One writer, immutable snapshots: nothing static changes, nothing needs a lock, no task runs unwatched.</summary>
static class SharedState
{
    static readonly string[] ChangingTypes =
        ["List", "Dictionary", "HashSet", "Queue", "Stack", "SortedDictionary", "ConcurrentDictionary", "ConcurrentQueue", "StringBuilder"];

    public static IEnumerable<string> Breaches(SourceFile file) =>
        file.IsUnder("probes", "tool")
            ? file.Root.DescendantNodes().Where(Changes).Select(node => file.At(node, $"shared state: {node.ToString().Split('\n')[0]}"))
            : [];

    static bool Changes(SyntaxNode node) => node switch
    {
        EventFieldDeclarationSyntax field => Has(field, SyntaxKind.StaticKeyword),
        FieldDeclarationSyntax field when Has(field, SyntaxKind.StaticKeyword) =>
            !Has(field, SyntaxKind.ReadOnlyKeyword) || ChangingTypes.Contains(TypeName(field.Declaration.Type)),
        PropertyDeclarationSyntax property when Has(property, SyntaxKind.StaticKeyword) =>
            property.AccessorList?.Accessors
                .Any(accessor => accessor.IsKind(SyntaxKind.SetAccessorDeclaration) && accessor.Body is null) == true,
        LockStatementSyntax => true,
        MethodDeclarationSyntax method => Has(method, SyntaxKind.AsyncKeyword) && method.ReturnType.ToString() == "void",
        _ => false,
    };

    static bool Has(MemberDeclarationSyntax member, SyntaxKind modifier) => member.Modifiers.Any(modifier);

    static string TypeName(TypeSyntax type) => type switch
    {
        QualifiedNameSyntax qualified => qualified.Right.Identifier.ValueText,
        SimpleNameSyntax simple => simple.Identifier.ValueText,
        _ => "",
    };
}
