using System.Text.Json;

namespace Tpwatch.Lab.Hostile;

/// <summary>Tries every case and writes the table; ends with 1 when one did harm.</summary>
static class HostileCommand
{
    /// <param name="args">Part of the names of those to try, without a page; <c>--fast</c> for those of every test run; <c>--each N</c>
    /// changed files a case.</param>
    public static async Task<int> RunAsync(string[] args)
    {
        LimitHeap();
        var words = new Words(args);
        var (fast, each) = (words.Has("--fast"), words.Number("--each", HostileSuite.ChangesEach));
        var part = words.Rest is [var named] ? named : "";
        var cases = HostileSuite.All(each)
            .Where(c => (!fast || c.Fast) && $"{c.Group}: {c.Name}".Contains(part, StringComparison.Ordinal)).ToArray();
        List<CaseResult> results = [];
        foreach (var one in cases)
        {
            var began = TimeProvider.System.GetTimestamp();
            var result = await HostileSuite.TryAsync(one);
            results.Add(result);
            Console.WriteLine($"{(result.Harm is null ? "held" : result.Harm.ToString()),-10} "
                + $"{TimeProvider.System.GetElapsedTime(began).TotalSeconds,6:0.0} s  {one.Group}: {one.Name}  {Cut(result.How)}");
        }

        string[] table = [.. HostileSuite.Table(results), "", .. HostileSuite.Rows(results)];
        Console.WriteLine(string.Join('\n', table));
        if (part.Length == 0 && !fast)
            await File.WriteAllTextAsync(BuiltPrograms.InTests("HOSTILE.md"), Text(results, each));
        return results.Any(r => r.Harm is not null) ? 1 : 0;
    }

    /// <summary>What is read within this process has the heap that the tool's own settings give it.</summary>
    static void LimitHeap()
    {
        using var settings = JsonDocument.Parse(File.ReadAllText(Path.ChangeExtension(BuiltPrograms.Tool, ".runtimeconfig.json")));
        var most = settings.RootElement.GetProperty("runtimeOptions")
            .GetProperty("configProperties").GetProperty("System.GC.HeapHardLimit");
        AppContext.SetData("GCHeapHardLimit", most.GetUInt64());
        GC.RefreshMemoryLimit();
    }

    static string Text(IReadOnlyList<CaseResult> results, int each) => string.Join('\n',
    [
        "# Hostile hands", "",
        "Written by `dotnet run build.cs -- hostile`, which does all this to the tool; the quick half is tried in every test run. "
            + "Two recordings are cut at every byte, others at thirty places; "
            + $"{results.Where(r => r.Case.Group == "files changed").Sum(r => r.Case.Fast ? 8 : each)} files are changed at random, "
            + "with seeds, and each must be read in 45 s with less than 512 MB more.",
        "", .. HostileSuite.Table(results), "", "## What failed at first", "", .. HostileSuite.Rows(results), "", "## Every case", "",
        .. results.GroupBy(r => r.Case.Group).SelectMany(g => (string[])[$"### {g.Key}", "", .. g.Select(One), ""]),
    ]);

    static string One(CaseResult result) =>
        $"- `{result.Case.Name.Replace('`', '\'')}`{(result.Harm is { } harm ? $": **{harm}** {Cut(result.How)}" : "")}";

    static string Cut(string how) => how.ReplaceLineEndings(" ") is var line && line.Length > 400 ? line[..400] + "…" : line;
}
