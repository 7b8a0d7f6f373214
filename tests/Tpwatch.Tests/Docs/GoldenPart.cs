using System.Text.RegularExpressions;
using Tpwatch.Tests.Structure;

namespace Tpwatch.Tests.Docs;

/// <summary>
/// Compares what stands between two marks of a page with what the program says. UPDATE_GOLDEN=1 writes what the program says. How lines
/// are broken does not count, since that depends on the terminal.
/// </summary>
static partial class GoldenPart
{
    public static void Verify(string path, string name, string actual)
    {
        var page = MarkdownText.Of(path);
        if (Flat(page.Part(name)) == Flat(actual))
        {
            return;
        }

        var accept = Golden.IsAccepted;
        if (accept)
        {
            File.WriteAllText(Path.Combine(SourceTree.Root, path), page.With(name, actual).Text);
        }

        Assert.True(accept, $"{path}: the part {name} differs (UPDATE_GOLDEN=1 writes it); expected:\n{actual}");
    }

    static string Flat(string text) => Space.Replace(text, " ").Trim();

    [GeneratedRegex(@"\s+")]
    static partial Regex Space { get; }
}
