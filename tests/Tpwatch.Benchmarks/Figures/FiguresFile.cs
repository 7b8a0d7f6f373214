using Tpwatch.Benchmarks.Pictures;
using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks.Figures;

/// <summary>Writes what was measured into tests/SCORES.md, and what README.md tells of it.</summary>
static class FiguresFile
{
    static string Page(params string[] path) => Path.Combine([BuiltPrograms.Root, .. path]);

    public static async Task WriteAsync(string name, string section)
    {
        var (scores, readme) = (Page("tests", "SCORES.md"), Page("README.md"));
        var written = GeneratedPart.Replace((await File.ReadAllTextAsync(scores)).ReplaceLineEndings("\n"), name, section);
        await File.WriteAllTextAsync(scores, written);
        var tables = new WrittenTables(written);
        // It tells of both; what one of them lacks the other command writes.
        if (!tables.Has(PricePage.Name) || !tables.Has(LatencyPage.Name))
            return;
        var text = (await File.ReadAllTextAsync(readme)).ReplaceLineEndings("\n");
        await File.WriteAllTextAsync(readme, AllPictures.WithPart(text, ReadmePrice.Name, ReadmePrice.Of(tables)) ?? text);
    }
}
