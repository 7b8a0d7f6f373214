using Tpwatch.Benchmarks.Figures;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Benchmarks.Screen;

namespace Tpwatch.Benchmarks.Compare;

/// <summary>What the tool takes: bytes to fetch, memory over a day, and what the items probe takes from its target.</summary>
static class Footprint
{
    const int DayMegabytes = 80;

    /// <summary>
    /// Of what a saturated target does without it. On .NET 8 each of these events carries a stack, which cannot be left out.
    /// </summary>
    const double ItemsKept = 0.95;

    const int Pairs = 8;

    /// <summary>A recording of starvation that ends, again and again.</summary>
    const string DayOf = "recovering";

    public static IEnumerable<ComparedRow> Sizes() =>
    [
        .. Artifacts.Made("package/release", "dotnet-tpwatch*.nupkg").Select(file => Size(file, ArtifactsPage.MostPackageMegabytes)),
        .. Artifacts.Made("publish/linux-x64", "dotnet-tpwatch").Select(file => Size(file, ArtifactsPage.MostFileMegabytes)),
    ];

    public static async Task<IEnumerable<ComparedRow>> DayAsync()
    {
        var recording = Path.Combine(BuiltPrograms.Root, "tests", "Recordings", DayOf + ".nettrace");
        var day = await DayReplay.MeasureAsync(BuiltPrograms.Tool, recording);
        var most = day.Peak / 1024;
        return
        [
            new("memory over a replayed day (RSS, largest)", "", day.Finished ? $"{most} MB" : $"{most} MB, not finished",
                $"at most {DayMegabytes} MB", day.Finished && most <= DayMegabytes),
        ];
    }

    public static async Task<IEnumerable<ComparedRow>> ItemsAsync()
    {
        var (now, net8) = await Price.SaturatedBothAsync(Pairs);
        return
        [
            Kept("no session", now.Nothing, null),
            Kept("basic session", now.Basic, null),
            Kept(FormattableString.Invariant($"items probe, {now.ItemsPerSecond:0} items a second"), now.Items, ItemsKept),
            Kept(FormattableString.Invariant($"items probe on .NET 8, {net8.ItemsPerSecond:0} items a second"), net8.Items, null),
        ];
    }

    static ComparedRow Kept(string what, Spread share, double? least) => new(
        $"items a saturated target keeps: {what}", "a stretch without a session before",
        FormattableString.Invariant($"{share.Median:0.00} ({share.Least:0.00} to {share.Most:0.00}, {share.Count} pairs)"),
        least is { } budget ? FormattableString.Invariant($"at least {budget:0.00}") : null,
        least is { } limit ? share.Median >= limit : null);

    static ComparedRow Size(string file, double most)
    {
        var megabytes = new FileInfo(file).Length / 1e6;
        return new($"`{Path.GetFileName(file)}`", "", FormattableString.Invariant($"{megabytes:0.00} MB"),
            FormattableString.Invariant($"at most {most:0.0} MB"), megabytes <= most);
    }
}
