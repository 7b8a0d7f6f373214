using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks.Growth;

/// <summary>
/// How what the engine itself costs grows with all that may become much: <c>growth [--dry] [axis...]</c>. Writes tests/GROWTH.md and a
/// picture for each axis unless one is named; misses its goal where a cost grows faster than in proportion, by more than its spread.
/// </summary>
static class GrowthCommand
{
    static string Folder { get; } = Path.Combine(BuiltPrograms.Root, "tests");

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var dry = words.Has("--dry");
        using GrownRecording recording = new();
        var all = GrowthAxis.Of(recording);
        var names = words.Rest;
        if (names.Except(all.Select(axis => axis.Name)).Any())
            return words.Refuse($"growth takes --dry and some of {string.Join(", ", all.Select(axis => axis.Name))}");
        var load = MachineWords.LoadNow();
        List<GrownCosts> grown = [];
        foreach (var axis in all.Where(axis => names.Count == 0 || names.Contains(axis.Name)))
        {
            grown.Add(await axis.RunAsync());
            Console.WriteLine(GrowthPage.Table(grown[^1]));
        }

        var page = GrowthPage.Of(grown, MachineWords.Of([], load));
        Console.WriteLine(page);
        if (!dry && names.Count == 0)
            await WriteAsync(grown, page);
        return GrowthPage.GoalsOf(grown).Conclude();
    }

    static async Task WriteAsync(IEnumerable<GrownCosts> grown, string page)
    {
        foreach (var costs in grown)
            await File.WriteAllTextAsync(Path.Combine(Folder, GrowthPage.Picture(costs.Axis)), GrowthPicture.Of(costs));
        GrowthPage.Write(Path.Combine(Folder, "GROWTH.md"), page);
    }
}
