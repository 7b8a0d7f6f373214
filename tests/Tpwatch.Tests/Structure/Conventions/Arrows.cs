using Microsoft.CodeAnalysis.CSharp.Syntax;
using Tpwatch.Capture;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>A folder names only folders before it, so that a reader can stop at any step and has understood everything up to there.</summary>
static class Arrows
{
    static readonly string[] Order = ["Attach", "Events", "Stacks", "Timeline", "Explain", "Render", "Commands"];

    /// <summary>Where everything is put together: the engine's public face and the program.</summary>
    static readonly string[] CompositionRoots = ["probes/ThreadPoolWatch.cs", "probes/Capture.cs", "probes/PoolFold.cs", "probes/DeepCapture.cs", "probes/BurstWatch.cs", "probes/ItemsLater.cs", "tool/Program.cs"];

    public static IEnumerable<string> Breaches(SourceFile file)
    {
        if (!file.IsUnder("probes", "tool") || CompositionRoots.Contains(file.Path))
            return [];
        var parts = file.Path.Split('/');
        var place = parts.Length == 2 ? -1 : Array.IndexOf(Order, parts[1]);
        if (parts.Length > 2 && place < 0)
            return [$"{file.Path}: the folder {parts[1]} has no place in the order {string.Join(", ", Order)}"];
        return Named(file).Where(name => Array.IndexOf(Order, name.Folder) > place)
            .Select(name => file.At(name.Node, $"names {name.Folder}, which comes after it"));
    }

    static IEnumerable<(NameSyntax Node, string Folder)> Named(SourceFile file) =>
        from name in file.Root.DescendantNodes().OfType<NameSyntax>()
        where name.Parent is not BaseNamespaceDeclarationSyntax
        let parts = name.ToString().Replace("global::", "", StringComparison.Ordinal).Split('.')
        where parts is ["Tpwatch", _, ..] && name.Parent is not QualifiedNameSyntax
        select (name, parts[1]);
}
