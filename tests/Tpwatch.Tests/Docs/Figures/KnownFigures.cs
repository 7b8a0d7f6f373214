using Tpwatch.Lab.Figures;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Screen.Commands;
using Tpwatch.Serve;
using Tpwatch.Sessions;
using Tpwatch.Tests.Structure;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Docs.Figures;

/// <summary>A figure that a page for users or a help tells, and what it must agree with.</summary>
/// <param name="Words">As it is written.</param>
/// <param name="Told">The number in it that counts.</param>
/// <param name="True">What it is by its source.</param>
/// <param name="Apart">How far the two may be apart: what rounding and a second measurement on the same machine make of it.</param>
sealed record KnownFigure(string Words, double Told, Func<double> True, double Apart)
{
    /// <summary>The words are those of the code, so that a text that quotes it differently is found as an unknown figure.</summary>
    public static KnownFigure Of(string words, Func<double> source, double apart) =>
        new(words, WrittenTables.NumbersOf(words)[^1], source, apart);
}

/// <summary>
/// Every figure of the pages for users and of the helps: those that were measured, with the generated
/// table they come from, and those that are a rule.
/// </summary>
static class KnownFigures
{
    /// <summary>Two runs of the same measurement of a share on the same quiet machine differ by as much, percent.</summary>
    const double ShareApart = 3;

    static readonly WrittenTables Scores =
        new(File.ReadAllText(Path.Combine(SourceTree.Root, "tests", "SCORES.md")).ReplaceLineEndings("\n"));

    /// <summary>Measured, each beside the table that a command has written.</summary>
    public static IReadOnlyList<KnownFigure> Measured { get; } =
    [
        KnownFigure.Of(DepthPrice.BasicShare, () => 100 * Price(PricePage.Basic), ShareApart),
        KnownFigure.Of(DepthPrice.ItemsShare, () => 100 * Price(PricePage.Items), ShareApart),
        KnownFigure.Of(DepthPrice.ItemsWithStacksShare, () => 100 * Price(PricePage.ItemsOnNet8), ShareApart),
        KnownFigure.Of(DepthPrice.ItemsPerSecond, () => Price(PricePage.Rate) / 1000, apart: 10),
        // Two runs on a busy machine of two processors differ by more than a share of items does.
        KnownFigure.Of(DepthPrice.RequestsShare, () => 100 * Scores.Number(RequestPage.Name, RequestPage.Saturated, 2), ShareApart),
        KnownFigure.Of(DepthPrice.BurstMs + " ms", () => Scores.Number(PricePage.Name, PricePage.BlockedBurst, 1), apart: 5),
        new("32 MB", 32, () => Scores.Number(ArtifactsPage.Name, ArtifactsPage.SingleFile, 1), Apart: 1),
        new("2 hours", 2, () => EngineWatch.RetainedBytes / Scores.Number(PricePage.Name, PricePage.Idle + ".NET 10", 3) / 3600, Apart: 1),
        new("30 minutes", 30,
            () => EngineWatch.RetainedBytes / Scores.Number(PricePage.Name, PricePage.Idle + ".NET 8", 3) / 60, Apart: 5),
        new("93 of 100", 93, () => Stored("the constant answer \"two looks\" instead"), Apart: 1),
        new("99 of 100", 99, () => Stored("ticks explained afterwards, where no item ended in the second before"), Apart: 1),
        new("4 ms", 4, () => WrittenTables.NumbersOf(Scores.Section("recorded").Split("clock step ")[1])[0], Apart: 0),
    ];

    /// <summary>Rules of the runtime and settings of ours: not measured, so that they stand where the code says them.</summary>
    public static IReadOnlyList<KnownFigure> Ruled { get; } =
    [
        KnownFigure.Of("500 ms", () => GateTiming.StarvationMs, 0),
        KnownFigure.Of("2 s", () => BurstPlan.LastingMs / 1000, 0),
        KnownFigure.Of("3 s", () => StartupSession.YoungMs / 1000, 0),
        KnownFigure.Of("200 MB", () => IncidentFolder.MostBytes >> 20, 0),
        KnownFigure.Of("10 s", () => OtlpPush.Pace.TotalSeconds, 0),
        KnownFigure.Of("5 minutes", () => RecordEndpoint.Longest.TotalMinutes, 0),
        KnownFigure.Of("30s", () => RecordEndpoint.Usual.TotalSeconds, 0),
        KnownFigure.Of("20 s", () => SideSources.RequestsUnasked.TotalSeconds, 0),
        // One time-out after the attach, and the counter sample that finds it over.
        KnownFigure.Of("22 s", () => (HangTracker.IdleTimeoutMs + 1000) / 1000, 0),
        KnownFigure.Of("80%", () => GateTiming.BusyCpu * 100, 0),
        KnownFigure.Of("25 ms", () => CompensationSchedule.StepMs, 0),
        KnownFigure.Of("250 ms", () => CompensationSchedule.MaxMs, 0),
        // Two looks: one after the injection, one after a look that added nobody.
        KnownFigure.Of("1001 ms", () => GateTiming.AfterInjection + GateTiming.AfterHold, 1),
        KnownFigure.Of("16 MB", () => SideCarFile.MostBytes >> 20, 0),
        KnownFigure.Of("8 MB", () => EngineWatch.RetainedBytes >> 20, 0),
        KnownFigure.Of("15 minutes", () => BucketSeries.Capacity * BucketSeries.BucketMs / 60_000, 0),
        KnownFigure.Of("4 hours", () => BucketSeries.WholeCapacity * BucketSeries.BucketMs / 3_600_000, 0),
    ];

    /// <summary>Neither: what stands in for anything, or is somebody else's.</summary>
    public static IReadOnlyDictionary<string, string> Examples { get; } = new Dictionary<string, string>
    {
        ["30 s"] = "a sentence of the forecast, quoted",
        ["10 seconds"] = "somebody's monitoring",
        ["512 MB"] = "standard of --limit-size, which its help has",
        ["5 s"] = "least time from one burst of stacks to the next",
        ["3.5"] = "a version",
        ["1.1"] = "a version",
    };

    static double Price(string row) => Scores.Number(PricePage.Name, row, 1);

    static double Stored(string row) => Scores.Number("recorded", row, 2);
}
