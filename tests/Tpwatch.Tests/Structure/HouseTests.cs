using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure;

/// <summary>
/// How large the product is and how finely it is cut. The bounds are what it has reached: one that is raised takes a line in
/// <c>tool/DECISIONS.md</c> that says why. The goal for lines is 36 000.
/// </summary>
public sealed class HouseTests
{
    const int MostLines = 56_392;
    const int MostFiles = 253;
    /// <summary>Folders with sources below <c>probes</c> and <c>tool</c>; the two roots are not among them.</summary>
    const int MostRooms = 24;

    /// <summary>Longer than this nobody reads a file from top to bottom.</summary>
    const int LongestFile = 620;

    /// <summary>
    /// Files with one customer in their own room that are no leaf of a list. Each of the three is one algorithm that makes its customer
    /// longer than <see cref="LongestFile"/>: the cutting of a recording, and the readings of queues and of threads from memory.
    /// </summary>
    const int MostServants = 3;

    /// <summary>Each file of such a kind is one entry of a list: the list is its only customer by intent.</summary>
    static readonly string[] Leaves = ["Probe.cs", "Command.cs", "Page.cs", "Sheet.cs"];

    static readonly SourceFile[] Product = [.. SourceTree.CSharp.Where(file => file.IsUnder("probes", "tool"))];

    [Fact]
    public void The_product_does_not_grow_unseen()
    {
        var rooms = Product.GroupBy(file => Path.GetDirectoryName(file.Path)!)
            .Where(room => room.Key.Contains('/', StringComparison.Ordinal)).ToArray();
        var servants = Servants();
        var output = TestContext.Current.TestOutputHelper!;
        output.WriteLine($"lines {Product.Sum(file => file.Lines.Length)} of {MostLines}, files {Product.Length} of {MostFiles}, "
            + $"rooms {rooms.Length} of {MostRooms}, longest file {Product.Max(file => file.Lines.Length)} of {LongestFile}, "
            + $"files with one customer in their own room {servants.Length} of {MostServants}:");
        output.WriteLine(string.Join('\n', servants));
        foreach (var room in rooms.OrderBy(room => room.Key, StringComparer.Ordinal))
        {
            output.WriteLine($"{room.Key}: {room.Count()} files, {room.Sum(file => file.Lines.Length)} lines");
        }

        Assert.InRange(Product.Sum(file => file.Lines.Length), 1, MostLines);
        Assert.InRange(Product.Length, 1, MostFiles);
        Assert.InRange(rooms.Length, 1, MostRooms);
        Assert.Empty(Product.Where(file => file.Lines.Length > LongestFile).Select(file => file.Path));
        Assert.InRange(servants.Length, 0, MostServants);
    }

    static string[] Servants()
    {
        var declared = Product.ToDictionary(file => file, Declared);
        var homes = Product.ToDictionary(file => file, Namespace);
        var used = Product.ToDictionary(file => file, file =>
            ((CompilationUnitSyntax)file.Root).Usings.Select(line => line.Name?.ToString() ?? "").ToArray());
        var names = Product.ToDictionary(file => file, file =>
            file.Root.DescendantTokens().Where(token => token.IsKind(SyntaxKind.IdentifierToken))
                .Select(token => token.ValueText).ToHashSet());
        return
        [
            .. from file in Product
               where !IsLeaf(file.Path) && declared[file].Count > 0
               let customers = Product
                   .Where(other => other != file && Sees(homes[other], used[other], homes[file]) && names[other].Overlaps(declared[file]))
                   .Take(2).ToArray()
               where customers is [var only] && Path.GetDirectoryName(only.Path) == Path.GetDirectoryName(file.Path)
               select $"{file.Path} of {Path.GetFileName(customers[0].Path)}",
        ];
    }

    static bool IsLeaf(string path) =>
        Path.GetFileName(path).StartsWith("Tpw0", StringComparison.Ordinal)
        || Leaves.Any(end => path.EndsWith(end, StringComparison.Ordinal));

    // Its types, and the methods that it adds to others.
    static HashSet<string> Declared(SourceFile file) =>
    [
        .. file.Root.DescendantNodes().OfType<BaseTypeDeclarationSyntax>()
            .Where(type => type.Parent is BaseNamespaceDeclarationSyntax).Select(type => type.Identifier.ValueText),
        .. file.Root.DescendantNodes().OfType<DelegateDeclarationSyntax>().Select(type => type.Identifier.ValueText),
        .. file.Root.DescendantNodes().OfType<MethodDeclarationSyntax>()
            .Where(method => method.ParameterList.Parameters is [var first, ..] && first.Modifiers.Any(SyntaxKind.ThisKeyword))
            .Select(method => method.Identifier.ValueText),
    ];

    // A property may have the name of a type elsewhere; what is neither used nor around is not seen.
    static bool Sees(string home, string[] used, string there) => home == there
        || home.StartsWith(there + ".", StringComparison.Ordinal) || there is "Tpwatch.Core" or "Tpwatch.Reports" or "Tpwatch.Wording"
        || used.Any(name => name == there || name.StartsWith(there + ".", StringComparison.Ordinal));

    static string Namespace(SourceFile file) =>
        file.Root.DescendantNodes().OfType<BaseNamespaceDeclarationSyntax>().FirstOrDefault()?.Name.ToString() ?? "";
}
