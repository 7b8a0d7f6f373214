using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>A live test waits for other processes, so each says how long at most.</summary>
static class LiveTestLimits
{
    public static IEnumerable<string> Breaches(SourceFile file) =>
        file.IsUnder("tests/Tpwatch.LiveTests")
            ? file.Root.DescendantNodes().OfType<AttributeSyntax>()
                .Where(attribute => attribute.Name.ToString() is "Fact" or "Theory" && !SaysTimeout(attribute))
                .Select(attribute => file.At(attribute, $"[{attribute.Name}] without Timeout"))
            : [];

    static bool SaysTimeout(AttributeSyntax attribute) =>
        attribute.ArgumentList?.Arguments.Any(argument => argument.NameEquals?.Name.Identifier.ValueText == "Timeout") == true;
}
