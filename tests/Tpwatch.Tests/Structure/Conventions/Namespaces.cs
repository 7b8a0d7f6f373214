using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>
/// The namespace is the folder, so that a type's full name says where its file lies (and the arrows can be read off names).
/// </summary>
static class Namespaces
{
    static readonly (string Folder, string Namespace)[] Roots =
    [
        ("probes", "Tpwatch"), ("tool", "Tpwatch"), ("fixtures", "Tpwatch.Fixtures"),
        ("tests/Tpwatch.Tests", "Tpwatch.Tests"), ("tests/Tpwatch.LiveTests", "Tpwatch.LiveTests"),
        ("tests/Tpwatch.Lab", "Tpwatch.Lab"),
    ];

    public static IEnumerable<string> Breaches(SourceFile file)
    {
        var (folder, root) = Roots.FirstOrDefault(candidate => file.IsUnder(candidate.Folder));
        if (folder is null)
            return [];
        var below = file.Path[(folder.Length + 1)..].Split('/')[..^1];
        var expected = string.Join('.', [root, .. below]);
        return file.Root.DescendantNodes().OfType<BaseNamespaceDeclarationSyntax>()
            .Where(space => space is not FileScopedNamespaceDeclarationSyntax || space.Name.ToString() != expected)
            .Select(space => file.At(space, $"namespace {space.Name}, not `namespace {expected};`"));
    }
}
