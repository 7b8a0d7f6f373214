using Tpwatch.Fixtures.Options;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Web.Scenarios;

namespace Tpwatch.Scoring.Runs;

/// <summary>A run to be made: a row of the catalogues, on which runtime, beside what, and when somebody attaches.</summary>
/// <param name="Row">What of the catalogue.</param>
/// <param name="Runtime">On which runtime.</param>
sealed record RunPlan(ScenarioRow Row, TargetRuntime Runtime)
{
    /// <summary>For attaching, for the end of the process and for a machine that is busy.</summary>
    static readonly TimeSpan Reserve = TimeSpan.FromSeconds(90);

    /// <summary>The scenario and its options.</summary>
    public ImmutableArray<string> Words { get; init; } = Row.ShortWords;

    /// <summary>What tells it from the row's usual run; null where it is that.</summary>
    public string? Label { get; init; }

    /// <summary>What the process is to count.</summary>
    public int Processors { get; init; } = Row.Processors;

    /// <summary>Whether a busy neighbour has every processor meanwhile.</summary>
    public bool Loaded { get; init; }

    /// <summary>So long after the scenario began somebody attaches, milliseconds; null is before it.</summary>
    public int? LateMs { get; init; }

    /// <summary><c>pool-burst.net8</c>: the row's name and what is unusual about the run.</summary>
    public string Name =>
        string.Join('.', new[] { Row.Stem, Label, Suffix, LateMs is null ? null : "late", Loaded ? "loaded" : null }.OfType<string>());

    public string RuntimeName => Runtime switch
    {
        TargetRuntime.Net8 => ".NET 8",
        TargetRuntime.Net9 => ".NET 9",
        TargetRuntime.Net11 => ".NET 11",
        _ => ".NET 10",
    };

    /// <summary>Seconds after which the fixture ends by itself.</summary>
    public int Seconds => new OptionParser(Row.Scenario, Words[1..]).Parse().Values[CommonOptions.Seconds];

    /// <summary>Whether it is as large as the article's, so that the figures of a run with the defaults hold.</summary>
    public bool IsFull => Words.SequenceEqual(Row.FullWords);

    /// <summary>After so long something is wrong.</summary>
    public TimeSpan Limit => TimeSpan.FromSeconds(Seconds) + Reserve;

    string? Suffix => Runtime switch
    {
        TargetRuntime.Net8 => "net8",
        TargetRuntime.Net9 => "net9",
        TargetRuntime.Net11 => "net11",
        _ => null,
    };
}

/// <summary>Which runtime a fixture runs on.</summary>
public enum TargetRuntime
{
    /// <summary>.NET 8, published with its own runtime.</summary>
    Net8,

    /// <summary>.NET 9, published with its own runtime.</summary>
    Net9,

    /// <summary>The machine's own .NET 10.</summary>
    Net10,

    /// <summary>.NET 11, published with its own runtime.</summary>
    Net11,
}

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
