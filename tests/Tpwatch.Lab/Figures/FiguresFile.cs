using Tpwatch.Lab.Pictures;
using Tpwatch.Lab.Scores;

namespace Tpwatch.Lab.Figures;

/// <summary>Writes what was measured into tests/SCORES.md, and what the pages for users tell of it.</summary>
static class FiguresFile
{
    /// <summary>Prints a section, writes it where that is wanted, and says which goals it misses; the exit code.</summary>
    public static async Task<int> ConcludeAsync(string name, string section, bool write, Goals goals)
    {
        Console.WriteLine(section);
        if (write)
            await WriteAsync(name, section);
        return goals.Conclude();
    }

    static async Task WriteAsync(string name, string section)
    {
        var tables = new WrittenTables(GeneratedPart.Write(BuiltPrograms.InTests("SCORES.md"), name, section));
        // It tells of both; what one of them lacks the other command writes.
        if (!tables.Has(PricePage.Name) || !tables.Has(LatencyPage.Name))
            return;
        foreach (var part in PriceParts.All)
        {
            var page = Path.Combine(BuiltPrograms.Root, part.Page);
            var text = (await File.ReadAllTextAsync(page)).ReplaceLineEndings("\n");
            await File.WriteAllTextAsync(page, AllPictures.WithPart(text, part.Name, part.Text(tables)) ?? text);
        }
    }
}
