using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>
/// A room names only rooms before it, so that a reader can stop at any step and has understood everything up to there. A namespace is a
/// folder and no using is there in vain, so that usings are the arrows; what lies in an outer namespace needs none, and is looked for by
/// name.
/// </summary>
static class Arrows
{
    /// <summary>Files of the root that all rooms may name, and that name only the first ones: what the face takes.</summary>
    static readonly string[] Taken = ["probes/WatchOptions.cs"];

    public static IEnumerable<string> Breaches(SourceFile file)
    {
        if (House.Of(file) is not { } home)
            return [];
        var place = Taken.Contains(file.Path) ? Array.IndexOf(home.Order, "Reports") : Array.IndexOf(home.Order, home.Room);
        return place < 0
            ? [$"{file.Path}: the folder {home.Room} has no place in the house"]
            : Named(file).Where(name => Array.IndexOf(home.Order, name.Room) > place)
                .Select(name => file.At(name.Node, $"names {(name.Room.Length == 0 ? "the root" : name.Room)}, which comes after it"));
    }

    /// <summary>The rooms that a file names, its own project's only.</summary>
    public static IEnumerable<(NameSyntax Node, string Room)> Named(SourceFile file)
    {
        var (order, own) = House.Of(file)!.Value;
        return from name in file.Root.DescendantNodes().OfType<NameSyntax>()
               where name.Parent is not (BaseNamespaceDeclarationSyntax or QualifiedNameSyntax)
               let room = Qualified(name, order) ?? OuterRoom(name, file, order, own)
               where room is not null && room != own
               select (name, room);
    }

    // The longest beginning of the name that is a room.
    static string? Qualified(NameSyntax name, string[] order)
    {
        var parts = name.ToString().Replace("global::", "", StringComparison.Ordinal).Split('.');
        return parts is not ["Tpwatch", _, ..] ? null
            : Enumerable.Range(1, parts.Length - 1)
                .Select(k => string.Join('/', parts[1..(parts.Length - k + 1)])).FirstOrDefault(order.Contains);
    }

    static string? OuterRoom(NameSyntax name, SourceFile file, string[] order, string own)
    {
        if (name is not SimpleNameSyntax simple || IsMember(simple))
            return null;
        return order.FirstOrDefault(room => room != own && (room.Length == 0 || own.StartsWith(room + "/", StringComparison.Ordinal))
            && Declared(file, room).Contains(simple.Identifier.ValueText));
    }

    static bool IsMember(SimpleNameSyntax name) => name.Parent is MemberAccessExpressionSyntax access && access.Name == name
        || name.Parent is MemberBindingExpressionSyntax or NameColonSyntax or NameEqualsSyntax
        || name.Parent is AssignmentExpressionSyntax assignment && assignment.Left == name
        || name.Parent is SubpatternSyntax || name.FirstAncestorOrSelf<EnumMemberDeclarationSyntax>() is not null;

    static HashSet<string> Declared(SourceFile file, string room)
    {
        var project = file.Path.Split('/')[0];
        var folder = room.Length == 0 ? project : $"{project}/{room}";
        return Known.GetOrAdd(folder, static f => [.. SourceTree.CSharp
            .Where(other => Path.GetDirectoryName(other.Path) == f && !Taken.Contains(other.Path))
            .SelectMany(other =>
                other.Root.DescendantNodes().OfType<BaseTypeDeclarationSyntax>().Where(t => t.Parent is BaseNamespaceDeclarationSyntax))
            .Select(type => type.Identifier.ValueText)]);
    }

    static readonly System.Collections.Concurrent.ConcurrentDictionary<string, HashSet<string>> Known = new();
}
