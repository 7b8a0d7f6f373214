using System.Collections.Immutable;
using Tpwatch.Fixtures.Options;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Web.Scenarios;

namespace Tpwatch.Benchmarks.Runs;

/// <summary>A row of the catalogues: a scenario as it is, or with the options of a variant.</summary>
internal sealed record CatalogueRun(IScenario Scenario, ScenarioVariant? Variant)
{
    /// <summary>What the articles' machine has, and what most expectations are about.</summary>
    const int UsualProcessors = 8;

    /// <summary>They take every processor there is: alone on the machine, and with no more processors than it has.</summary>
    static readonly ImmutableArray<string> Burners =
        ["count-alone", "thread-per-increment", "ten-counting-threads", "ten-counting-items", "managed-pool", "cpu-bound", "garbage-storm"];

    /// <summary>A short run has so few items or workers that fewer processors are needed to see the pool grow.</summary>
    static readonly ImmutableSortedDictionary<string, int> OwnProcessors = new Dictionary<string, int> { ["deadlock"] = 4 }.ToImmutableSortedDictionary();

    /// <summary>Every row, in the order of the catalogues.</summary>
    public static ImmutableArray<CatalogueRun> All { get; } =
    [
        .. ((ImmutableArray<IScenario>)[.. ScenarioCatalogue.All, .. WebCatalogue.All])
            .SelectMany(scenario => scenario.Variants.Select(variant => new CatalogueRun(scenario, variant)).Prepend(new(scenario, null))),
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

    /// <summary>What the process is to count: the scenario's own wish, the machine's number, or the articles'.</summary>
    public int Processors => Scenario.Options.FirstOrDefault(spec => spec.Name == CommonOptions.Processors)?.Default is { } own
        ? (int)own
        : OwnProcessors.TryGetValue(Scenario.Name, out var fewer) ? fewer
        : BurnsProcessors ? Environment.ProcessorCount : UsualProcessors;

    /// <summary>The rows whose names begin with one of <paramref name="names"/>, an exact name standing for itself; all without any.</summary>
    public static ImmutableArray<CatalogueRun> Named(IReadOnlyCollection<string> names) => names.Count == 0
        ? All
        : [.. All.Where(run => names.Any(name => run.Stem == name || run.Scenario.Name == name))];
}
