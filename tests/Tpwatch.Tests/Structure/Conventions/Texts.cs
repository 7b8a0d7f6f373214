using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>What no text of the repository holds.</summary>
static partial class Texts
{
    /// <summary>Code that is sometimes not there, and code that is folded away.</summary>
    public static IEnumerable<string> Directives(SourceFile file) =>
        !file.IsCSharp
            ? []
            : file.Root.DescendantTrivia()
                .Where(trivia => trivia.IsKind(SyntaxKind.IfDirectiveTrivia) || trivia.IsKind(SyntaxKind.RegionDirectiveTrivia))
                .Select(trivia => file.At(trivia.GetStructure()!, trivia.ToString().Split('\n')[0]));

    /// <summary>A folder of one machine, or a place packages come from: both are somebody's configuration, not the project's.</summary>
    public static IEnumerable<string> MachinesAndHosts(SourceFile file) =>
        file.Lines.Index().Where(line => MachineOrHost.IsMatch(line.Item))
            .Select(line => $"{file.Path}:{line.Index + 1}: {line.Item.Trim()}");

    // Written with gaps, since this file is looked through as well.
    [GeneratedRegex(@"(?<![\w.])/(?:wor[k]|hom[e])/|nuge[t]\.org|myge[t]\.org|npmj[s]\.(?:com|org)|pkgs\.de[v]\.azure|pyp[i]\.org",
        RegexOptions.IgnoreCase)]
    static partial Regex MachineOrHost { get; }
}
