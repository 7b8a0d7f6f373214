using Tpwatch.Benchmarks.Pictures;
using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks.Figures;

/// <summary>Writes what was measured into tests/SCORES.md, and what the pages for users tell of it.</summary>
static class FiguresFile
{
    static string Page(params string[] path) => Path.Combine([BuiltPrograms.Root, .. path]);

    public static async Task WriteAsync(string name, string section)
    {
        var scores = Page("tests", "SCORES.md");
        var written = GeneratedPart.Replace((await File.ReadAllTextAsync(scores)).ReplaceLineEndings("\n"), name, section);
        await File.WriteAllTextAsync(scores, written);
        var tables = new WrittenTables(written);
        // It tells of both; what one of them lacks the other command writes.
        if (!tables.Has(PricePage.Name) || !tables.Has(LatencyPage.Name))
            return;
        foreach (var part in PriceParts.All)
        {
            var text = (await File.ReadAllTextAsync(Page(part.Page))).ReplaceLineEndings("\n");
            await File.WriteAllTextAsync(Page(part.Page), AllPictures.WithPart(text, part.Name, part.Text(tables)) ?? text);
        }
    }
}
