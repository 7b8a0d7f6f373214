using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>
/// A test that leaves early counts as passed although it has tested nothing; <c>Assert.Skip</c> and its kin say so, with a reason.
/// </summary>
static class SilentSkips
{
    public static IEnumerable<string> Breaches(SourceFile file) =>
        file.IsUnder("tests")
            ? file.Root.DescendantNodes().OfType<MethodDeclarationSyntax>().Where(IsTest)
                .SelectMany(test =>
                    test.DescendantNodes(node => !IsNested(node)).OfType<ReturnStatementSyntax>().Where(left => LeavesEarly(left, test)))
                .Select(left => file.At(left, "a test that returns early passes untested: Assert.SkipWhen or Assert.SkipUnless"))
            : [];

    static bool IsTest(MethodDeclarationSyntax method) =>
        method.AttributeLists.SelectMany(list => list.Attributes).Any(attribute => attribute.Name.ToString() is "Fact" or "Theory");

    /// <summary>What returns from a function inside a test does not leave the test.</summary>
    static bool IsNested(SyntaxNode node) => node is AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax;

    /// <summary>A test without await ends with a completed task; anywhere else but as the last statement that leaves early, too.</summary>
    static bool LeavesEarly(ReturnStatementSyntax left, MethodDeclarationSyntax test) =>
        left.Expression is null || (left.Expression.ToString() is "Task.CompletedTask" or "ValueTask.CompletedTask" && left != Last(test));

    static StatementSyntax? Last(MethodDeclarationSyntax test) =>
        test.Body?.Statements.LastOrDefault(statement => statement is not LocalFunctionStatementSyntax);
}
