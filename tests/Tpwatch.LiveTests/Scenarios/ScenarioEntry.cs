using System.Collections.Immutable;
using Tpwatch.Fixtures.Options;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Web.Scenarios;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>One line of a fixtures' catalogue, as short as it may be, on one runtime.</summary>
sealed record ScenarioEntry(IScenario Scenario, ImmutableArray<string> Words, ScenarioExpectation Expectation, TargetRuntime Runtime)
{
    /// <summary>As many as most of the articles' figures are from.</summary>
    const int Processors = 8;

    /// <summary>Scenarios that say nothing on eight processors, and the number on which they do.</summary>
    static readonly ImmutableSortedDictionary<string, int?> OwnProcessors = ImmutableSortedDictionary.CreateRange(
        StringComparer.Ordinal,
        [
            // Its short run has a max of eight, which must lie above min.
            KeyValuePair.Create("deadlock", (int?)2),
            // Its min, a tenth of forty, lies below eight, and the pool would begin with eight.
            KeyValuePair.Create("eight-minutes", (int?)2),
            // What saturates the machine's own processors does not saturate eight that are not there.
            KeyValuePair.Create("cpu-bound", (int?)null),
        ]);

    /// <summary>Those that compute: beside them nobody's times would be his own.</summary>
    static readonly ImmutableArray<string> Burners =
    [
        "count-alone", "thread-per-increment", "ten-counting-threads", "ten-counting-items", "managed-pool", "cpu-bound", "garbage-storm", "oscillation",
    ];

    /// <summary>Those whose headline number grows with their size, so that it says nothing of a short run.</summary>
    static readonly ImmutableArray<string> SizedHeadlines =
        ["pool-burst", "capped-blocking", "twenty-threads", "ten-times-network-call", "eight-minutes", "multiplication-table", "deadlock", "ten-counting-items"];

    /// <summary>Those whose pool has other work than their items: a server's own, callbacks.</summary>
    static readonly ImmutableArray<string> OtherWork = ["web-sync-over-async", "web-async", "late-callbacks"];

    /// <summary>Those whose rule is a runtime's own, which are run on each; pool-burst and sync-over-async too, with a longer run.</summary>
    static readonly ImmutableArray<string> OnEveryRuntime = ["mixed-blocking", "idle-timeout", "ceiling"];

    /// <summary>The articles' burst until its growth has silenced itself.</summary>
    public static ScenarioEntry SelfSilenced { get; } = Longer("pool-burst", "--items", "100", "--seconds", "22");

    /// <summary>The burst with some thirty workers to inject.</summary>
    public static ScenarioEntry Burst { get; } = Longer("pool-burst", "--items", "40");

    /// <summary>Task waits until every step of the pool's schedule has come.</summary>
    public static ScenarioEntry AllSteps { get; } = Longer("sync-over-async", "--items", "300", "--seconds", "13");

    /// <summary>
    /// Both catalogues with all variants, and what a short run is too short for; those that compute come last, before the older runtimes, which
    /// may have to be published.
    /// </summary>
    public static ImmutableArray<ScenarioEntry> All { get; } =
    [
        SelfSilenced, Burst, AllSteps,
        .. OnNet10().Where(e => !e.Computes),
        .. OnNet10().Where(e => e.Computes),
        .. OnNet10().Where(e => OnEveryRuntime.Contains(e.Scenario.Name)).Append(Burst).Append(AllSteps)
            .SelectMany(e => new[] { e with { Runtime = TargetRuntime.Net9 }, e with { Runtime = TargetRuntime.Net8 } }),
    ];

    /// <summary>How long it is; the scenario's own short run unless said otherwise.</summary>
    public ImmutableArray<string> Length { get; init; } = Scenario.ShortRun;

    /// <summary>Its name in tests.</summary>
    public string Key => string.Join(
        ' ', [Scenario.Name, .. Words, .. Length == Scenario.ShortRun ? [] : Length, .. Runtime == TargetRuntime.Net10 ? [] : new[] { $"on {Runtime}" }]);

    /// <summary>Whether it needs ASP.NET Core.</summary>
    public bool IsWeb => WebCatalogue.All.Contains(Scenario);

    /// <summary>Whether its items await, so that the record does not say when they held a worker.</summary>
    public bool Awaits => Scenario.Name is "async-items" or "web-async" || Words.Contains("async");

    /// <summary>Whether every worker that comes takes an item, as soon as the machine lets it.</summary>
    public bool WorkersTakeItems => !Computes && !OtherWork.Contains(Scenario.Name);

    /// <summary>Whether the headline number of a run so short is that of a run with the defaults.</summary>
    public bool HeadlineHolds => !SizedHeadlines.Contains(Scenario.Name) || Words.Contains("async") || Key is "pool-burst --min 100" or "ten-counting-items";

    /// <summary>Whether it must have the machine for itself.</summary>
    public bool Computes => Burners.Contains(Scenario.Name);

    /// <summary>The fixture's arguments.</summary>
    public string[] Arguments => [Scenario.Name, .. Words, .. Length, .. ProcessorWords()];

    /// <summary>The same on another runtime.</summary>
    public ScenarioEntry On(TargetRuntime runtime) => this with { Runtime = runtime };

    /// <summary>The entry of that name.</summary>
    public static ScenarioEntry Of(string key) => All.Single(e => e.Key == key);

    static ScenarioEntry Longer(string name, params string[] length) =>
        OnNet10().First(e => e.Scenario.Name == name) with { Length = [.. length] };

    static IEnumerable<ScenarioEntry> OnNet10() => ((ImmutableArray<IScenario>)[.. ScenarioCatalogue.All, .. WebCatalogue.All]).SelectMany(
        scenario => scenario.Variants.Select(v => new ScenarioEntry(scenario, v.Words, v.Expectation, TargetRuntime.Net10))
            .Prepend(new(scenario, [], scenario.Expectation, TargetRuntime.Net10)));

    // Where the scenario has a number of its own it needs no other.
    IEnumerable<string> ProcessorWords() =>
        Scenario.Options.Any(o => o.Name == CommonOptions.Processors) || (OwnProcessors.TryGetValue(Scenario.Name, out var own) && own is null)
            ? []
            : ["--processors", $"{own ?? Processors}"];
}
