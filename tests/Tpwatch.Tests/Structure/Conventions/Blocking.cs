using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>A tool that explains blocked workers blocks none. The fixtures do, on purpose.</summary>
static class Blocking
{
    public static IEnumerable<string> Breaches(SourceFile file) =>
        file.IsUnder("fixtures")
            ? []
            : Members(file).Where(member => Blocks(member.Name, member.Called))
                .Select(member => file.At(member.Node, $".{member.Name} may block a worker"));

    static bool Blocks(string name, bool called) =>
        called ? name is "Wait" or "WaitAll" or "WaitAny" or "GetResult" : name is "Result";

    static IEnumerable<(ExpressionSyntax Node, string Name, bool Called)> Members(SourceFile file) =>
        from node in file.Root.DescendantNodes().OfType<ExpressionSyntax>()
        let name = node switch
        {
            MemberAccessExpressionSyntax access => access.Name,
            MemberBindingExpressionSyntax binding => binding.Name,
            _ => null,
        }
        where name is not null
        select (node, name.Identifier.ValueText, node.Parent is InvocationExpressionSyntax);
}
