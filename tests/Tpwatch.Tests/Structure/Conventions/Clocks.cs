using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>Event time decides and TimeProvider paces; a clock read elsewhere would make a replay differ from what it replays.</summary>
static class Clocks
{
    /// <summary>The adapters: the only files that read a clock of the machine.</summary>
    static readonly string[] Adapters = [];

    public static IEnumerable<string> Breaches(SourceFile file) =>
        !file.IsUnder("probes", "tool") || Adapters.Contains(file.Path)
            ? []
            : file.Root.DescendantNodes().OfType<IdentifierNameSyntax>().Where(ReadsClock)
                .Select(name => file.At(name, $"{name.Parent} reads a clock of the machine"));

    static bool ReadsClock(IdentifierNameSyntax name) => (Owner(name), name.Identifier.ValueText) switch
    {
        ("DateTime" or "DateTimeOffset", "Now" or "UtcNow" or "Today") => true,
        ("Environment", "TickCount" or "TickCount64") => true,
        (_, "Stopwatch") => true,
        _ => false,
    };

    static string? Owner(IdentifierNameSyntax name) =>
        name.Parent is MemberAccessExpressionSyntax access && access.Name == name ? access.Expression.ToString().Split('.')[^1] : null;
}
