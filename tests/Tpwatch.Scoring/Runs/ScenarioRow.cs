using Tpwatch.Fixtures.Options;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Web.Scenarios;

namespace Tpwatch.Scoring.Runs;

/// <summary>A row of the catalogues: a scenario as it is, or with the options of a variant.</summary>
sealed record ScenarioRow(IScenario Scenario, ScenarioVariant? Variant)
{
    /// <summary>What the articles' machine has, and what most expectations are about.</summary>
    const int UsualProcessors = 8;

    /// <summary>They compute: alone on the machine, and with no more processors than it has.</summary>
    static readonly ImmutableArray<string> Burners =
    [
        "count-alone", "thread-per-increment", "ten-counting-threads",
        "ten-counting-items", "managed-pool", "cpu-bound", "garbage-storm", "oscillation",
        "saturation-then-starvation",
    ];

    /// <summary>Their short run has so few items or so low a min or max that fewer processors are needed to see the pool grow.</summary>
    static readonly ImmutableSortedDictionary<string, int> OwnProcessors =
        new Dictionary<string, int>
        {
            ["deadlock"] = 2,
            ["eight-minutes"] = 2,
            ["oscillation"] = UsualProcessors,
        }.ToImmutableSortedDictionary();

    /// <summary>Those whose headline number grows with their size, so that it says nothing of a short run.</summary>
    static readonly ImmutableArray<string> SizedHeadlines =
        ["pool-burst", "capped-blocking", "twenty-threads", "ten-times-network-call",
            "eight-minutes", "multiplication-table", "deadlock", "ten-counting-items"];

    /// <summary>Variants of those whose headline number holds for a short run all the same.</summary>
    static readonly ImmutableArray<string> HeadlinesThatHold = ["pool-burst-min-100", "ten-counting-items"];

    /// <summary>Those whose pool has other work than their items: a server's own, callbacks.</summary>
    static readonly ImmutableArray<string> OtherWork = ["web-sync-over-async", "web-async", "late-callbacks"];

    /// <summary>Every row, in the order of the catalogues.</summary>
    public static ImmutableArray<ScenarioRow> All { get; } =
    [
        .. ((ImmutableArray<IScenario>)[.. ScenarioCatalogue.All, .. WebCatalogue.All])
            .SelectMany(scenario => scenario.Variants.Select(variant => new ScenarioRow(scenario, variant)).Prepend(new(scenario, null))),
    ];

    /// <summary>The row's name as a file and a table have it: <c>pool-burst-min-100</c>.</summary>
    public string Stem => string.Join('-', VariantWords.Select(word => word.TrimStart('-')).Prepend(Scenario.Name));

    public ImmutableArray<string> VariantWords => Variant?.Words ?? [];

    public ScenarioExpectation Expectation => Variant?.Expectation ?? Scenario.Expectation;

    /// <summary>The words of a run of some seconds.</summary>
    public ImmutableArray<string> ShortWords => [Scenario.Name, .. VariantWords, .. Scenario.ShortRun];

    /// <summary>The words of a run with the article's own numbers.</summary>
    public ImmutableArray<string> FullWords => [Scenario.Name, .. VariantWords];

    public bool BurnsProcessors => Burners.Contains(Scenario.Name);

    public bool IsWeb => WebCatalogue.All.Contains(Scenario);

    /// <summary>Whether its items await, so that the record does not say when they held a worker.</summary>
    public bool Awaits => Expectation.Work == ItemWork.Await;

    /// <summary>Whether every worker that comes takes an item, as soon as the machine lets it.</summary>
    public bool WorkersTakeItems => !Awaits && !BurnsProcessors && !OtherWork.Contains(Scenario.Name);

    /// <summary>Whether the headline number of a short run is that of a run with the defaults.</summary>
    public bool HeadlineHolds => !SizedHeadlines.Contains(Scenario.Name) || Awaits || HeadlinesThatHold.Contains(Stem);

    /// <summary>What the process is to count: the scenario's own wish, the machine's number, or the articles'.</summary>
    public int Processors => Scenario.Options.FirstOrDefault(spec => spec.Name == CommonOptions.Processors)?.Default is { } own
        ? (int)own
        : OwnProcessors.TryGetValue(Scenario.Name, out var other) ? other
        : BurnsProcessors ? Environment.ProcessorCount : UsualProcessors;

    /// <summary>The row of that name.</summary>
    public static ScenarioRow Of(string stem) => All.Single(row => row.Stem == stem);

    /// <summary>The rows whose names or scenarios are one of <paramref name="names"/>; all without any.</summary>
    public static ImmutableArray<ScenarioRow> Named(IReadOnlyCollection<string> names) => names.Count == 0
        ? All
        : [.. All.Where(row => names.Any(name => row.Stem == name || row.Scenario.Name == name))];
}
