using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>Suffixes that say nothing about what a thing is.</summary>
static class Names
{
    static readonly string[] Banned = ["Manager", "Helper", "Helpers", "Util", "Utils", "Utilities", "Service", "Handler", "Processor"];

    /// <summary>The word is what the thing is about: a processor of the machine.</summary>
    static readonly string[] Meant = ["OneProcessor"];

    public static IEnumerable<string> Breaches(SourceFile file) =>
        from node in file.Root.DescendantNodes()
        let name = node switch
        {
            BaseTypeDeclarationSyntax type => type.Identifier.ValueText,
            DelegateDeclarationSyntax type => type.Identifier.ValueText,
            _ => "",
        }
        where !Meant.Contains(name) && Array.Exists(Banned, suffix => name.EndsWith(suffix, StringComparison.Ordinal))
        select file.At(node, $"{name} ends in a suffix that says nothing");
}
