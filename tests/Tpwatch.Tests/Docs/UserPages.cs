using Tpwatch.Tests.Structure;

namespace Tpwatch.Tests.Docs;

/// <summary>The pages for users: the first one and those that it leads to.</summary>
static class UserPages
{
    /// <summary>The collection of the tests that write into these pages: two at once would take each other's part away.</summary>
    public const string Written = "pages that are written";

    public const string First = "README.md";
    public const string Screen = Folder + "/screen.md";
    public const string Mechanisms = Folder + "/mechanisms.md";
    public const string Findings = Folder + "/findings.md";
    public const string CommandLine = Folder + "/cli.md";
    public const string Cost = Folder + "/cost.md";

    public const string Agents = Folder + "/mcp.md";
    public const string Skill = Folder + "/skills/tpwatch/SKILL.md";

    const string Folder = "docs";

    /// <summary>All but the first.</summary>
    public static IReadOnlyList<string> Further { get; } =
    [
        .. SourceTree.Files.Select(file => file.Path)
            .Where(path => path.StartsWith(Folder + "/", StringComparison.Ordinal) && path.EndsWith(".md", StringComparison.Ordinal)),
    ];

    public static IReadOnlyList<string> All { get; } = [First, .. Further];
}
