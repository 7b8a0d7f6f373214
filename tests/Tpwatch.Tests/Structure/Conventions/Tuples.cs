using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>What belongs together has a name: no parameter is of a tuple type. A lambda's is not one that anybody calls.</summary>
static class Tuples
{
    /// <summary>Files that have such a parameter still; whoever removes the last one of a file takes it off.</summary>
    static readonly string[] Excused =
    [
        "tool/Run/Runs.cs", "tool/Cli/PsCommand.cs",
    ];

    public static IEnumerable<string> Breaches(SourceFile file) =>
        !file.IsUnder("probes", "tool") || Excused.Contains(file.Path)
            ? []
            : file.Root.DescendantNodes().OfType<ParameterSyntax>()
                .Where(parameter => parameter.Type is TupleTypeSyntax or NullableTypeSyntax { ElementType: TupleTypeSyntax }
                    && parameter.Parent?.Parent is not AnonymousFunctionExpressionSyntax)
                .Select(parameter => file.At(parameter, $"{parameter.Identifier.ValueText} is a tuple: give it a type"));
}
