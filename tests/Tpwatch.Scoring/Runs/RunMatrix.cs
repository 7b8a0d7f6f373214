namespace Tpwatch.Scoring.Runs;

/// <summary>
/// Which runs there are of each row: all on .NET 10; those that tell a mechanism of the pool also on .NET 8 and 9, beside a busy neighbour,
/// and attached in their middle.
/// </summary>
static class RunMatrix
{
    /// <summary>By then the incident is under way, and it lasts for seconds more.</summary>
    const int UsualLateMs = 4_300;

    /// <summary>Those whose incident is over, or changes, by then.</summary>
    static readonly ImmutableSortedDictionary<string, int> OwnLateMs = new Dictionary<string, int>
    {
        ["suspended"] = 2_300, ["recovering"] = 2_300, ["held"] = 10_000,
        ["wedged"] = 6_000, ["saturation-then-starvation"] = 2_000, ["slow-growth"] = 4_000,
    }.ToImmutableSortedDictionary();

    /// <summary>A third of the catalogues and more: each mechanism, each kind of blocking, and two in which nothing is wrong.</summary>
    static readonly ImmutableArray<string> Mechanisms =
    [
        "pool-burst", "injection-latency", "capped-blocking", "eight-minutes",
        "deadlock", "deadlock-wait-task", "sync-over-async", "semaphore",
        "semaphore-hold-100", "lock-convoy", "blocking-socket", "wait-all",
        "mixed-blocking", "trickle", "ceiling", "idle-timeout", "one-processor",
        "memory-veto", "detector-disabled", "recovering", "steady", "healthy-burst",
    ];

    /// <summary>
    /// Those that meet what .NET 11 does otherwise: its semaphore, task waits and their compensation, the gate's clock, one request at a
    /// time.
    /// </summary>
    static readonly ImmutableArray<string> OnNet11 =
    [
        "pool-burst", "capped-blocking", "deadlock", "deadlock-wait-task", "sync-over-async", "semaphore", "lock-convoy",
        "blocking-socket", "wait-all", "mixed-blocking", "trickle", "ceiling", "recovering", "steady", "healthy-burst",
        "one-processor", "detector-disabled",
    ];

    /// <summary>Those whose incident lasts long enough to be met in its middle.</summary>
    static readonly ImmutableArray<string> Lasting =
    [
        "pool-burst", "capped-blocking", "eight-minutes", "deadlock",
        "deadlock-wait-task", "sync-over-async", "semaphore", "semaphore-hold-100",
        "lock-convoy", "blocking-socket", "wait-all", "mixed-blocking",
        "trickle", "ceiling", "one-processor", "memory-veto", "detector-disabled",
        "recovering", "suspended", "steady", "healthy-burst", "oscillation", "web-sync-over-async", "cpu-bound",
    ];

    /// <summary>Runs that hold more than the row's short one: golden files are made of the first three, the others are met late.</summary>
    static readonly ImmutableSortedDictionary<string, ImmutableArray<string>> OwnWords = new Dictionary<string, ImmutableArray<string>>
    {
        ["pool-burst"] = ["pool-burst", "--items", "30"],
        ["sync-over-async"] = ["sync-over-async", "--items", "300", "--seconds", "13"],
        ["trickle"] = ["trickle", "--seconds", "12"],
    }.ToImmutableSortedDictionary();

    /// <summary>
    /// Longer than the usual run, and pairs of which one imagines the other: the same arrivals under other settings, on two processors.
    /// </summary>
    static readonly ImmutableArray<RunPlan> Further =
    [
        Other("pool-burst", "long", "pool-burst", "--items", "100", "--seconds", "22"),
        Other("pool-burst", "sixty", "pool-burst", "--items", "60"),
        OnTwo("eight-minutes", "long", "eight-minutes", "--scale", "10", "--seconds", "28"),
        OnTwo("pool-burst", "two", "pool-burst", "--items", "20"),
        OnTwo("pool-burst-min-100", "two", "pool-burst", "--min", "100", "--items", "20"),
        OnTwo("capped-blocking", "two", "capped-blocking", "--items", "150"),
        OnTwo("capped-blocking-min-10", "two", "capped-blocking", "--min", "10", "--items", "150"),
        OnTwo("capped-blocking", "two-twenty", "capped-blocking", "--min", "20", "--max", "20", "--items", "150"),
        OnTwo("async-items", "two", "async-items", "--items", "150"),
        OnTwo("sync-over-async", "two", "sync-over-async", "--items", "60", "--hold", "2000", "--seconds", "60"),
        OnTwo("sync-over-async", "two-min-70", "sync-over-async", "--items", "60", "--hold", "2000", "--seconds", "60", "--min", "70"),
    ];

    /// <summary>
    /// Scenarios taken from real programs on which the tool was wrong.
    /// </summary>
    static readonly ImmutableArray<string> Wild =
        ["limits-by-call", "held", "wedged", "saturation-then-starvation", "slow-growth", "one-wait-long-ago", "mixed-wait"];

    /// <summary>Of their runs those that are stored, which keeps the folder small.</summary>
    static readonly ImmutableArray<string> WildStored =
    [
        "held",
        "held-kind-lock-items-60-min-60.late",
        "held.late",
        "held.net9",
        "limits-by-call",
        "limits-by-call-at-4-before-40-hold-600000-to-min-2-to-max-9.across.late",
        "limits-by-call-at-4-before-40-hold-600000-to-min-2-to-max-9.late",
        "limits-by-call-to-min-12-to-max-12-hold-100-items-1800.late",
        "limits-by-call-to-min-2-to-max-2",
        "limits-by-call-to-min-2-to-max-2.late",
        "limits-by-call-to-min-30-to-max-30-hold-600000",
        "limits-by-call-to-min-30-to-max-30-hold-600000.late",
        "limits-by-call.late",
        "lock-convoy-hold-100.exclusive.late",
        "mixed-wait.late",
        "one-wait-long-ago",
        "one-wait-long-ago-kind-stop",
        "semaphore-hold-100.exclusive.late",
        "slow-growth",
        "slow-growth.late",
        "wedged",
        "wedged-rest-3500-timeout-1500.late",
        "wedged.late",
        "wedged.net8",
        "wedged.net8.late",
        "wedged.net9",
    ];

    /// <summary>
    /// Every run of such a scenario: met late as well, on each runtime, and with the words that show it in a few seconds.
    /// </summary>
    public static ImmutableArray<RunPlan> AllWild { get; } =
    [
        .. Wild.SelectMany(name => ScenarioRow.Named([name])).SelectMany(OfWildRow),
        Other("limits-by-call-at-4-before-40-hold-600000-to-min-2-to-max-9", "across", "limits-by-call", "--at", "6",
            "--before", "40", "--hold", "600000", "--to-min", "2", "--to-max", "9", "--seconds", "14") with { LateMs = 3_000 },
        // The item count and the hold of the program in which more workers were promised to help: each item has the lock alone.
        Other("lock-convoy-hold-100", "exclusive", "lock-convoy", "--items",
            "40", "--hold", "250", "--seconds", "14") with { LateMs = 2_000 },
        Other("semaphore-hold-100", "exclusive", "semaphore", "--items", "60", "--hold",
            "400", "--permits", "2", "--seconds", "16") with { LateMs = 3_000 },
    ];

    /// <summary>Those of them that are stored.</summary>
    public static ImmutableArray<RunPlan> StoredWild { get; } = [.. AllWild.Where(plan => WildStored.Contains(plan.Name))];

    /// <summary>Every run that is stored.</summary>
    public static ImmutableArray<RunPlan> All { get; } =
    [
        .. ScenarioRow.All.Where(row => !Wild.Contains(row.Scenario.Name)).Select(Usual),
        .. Rows(Mechanisms).SelectMany(row =>
            new[] { Usual(row) with { Runtime = TargetRuntime.Net8 }, Usual(row) with { Runtime = TargetRuntime.Net9 } }),
        .. Rows(OnNet11).Select(row => Usual(row) with { Runtime = TargetRuntime.Net11 }),
        .. Rows(Mechanisms).Select(row => Usual(row) with { Loaded = true }),
        .. Rows(Lasting).Select(row => Usual(row) with { LateMs = OwnLateMs.GetValueOrDefault(row.Stem, UsualLateMs) }),
        .. Further,
        .. StoredWild,
    ];

    /// <summary>The run of that name.</summary>
    public static RunPlan Of(string name) => All.Union(AllWild).Single(plan => plan.Name == name);

    /// <summary>The runs whose names, rows or scenarios are one of <paramref name="names"/>; all that are stored without any.</summary>
    public static ImmutableArray<RunPlan> Named(IReadOnlyCollection<string> names) => names.Count == 0
        ? All
        : [.. All.Union(AllWild)
            .Where(plan => names.Any(name => plan.Name == name || plan.Row.Stem == name || plan.Row.Scenario.Name == name))];

    static IEnumerable<ScenarioRow> Rows(ImmutableArray<string> stems) => stems.Select(ScenarioRow.Of);

    static RunPlan Other(string stem, string label, params ImmutableArray<string> words) =>
        new(ScenarioRow.Of(stem), TargetRuntime.Net10) { Label = label, Words = words };

    static RunPlan OnTwo(string stem, string label, params ImmutableArray<string> words) =>
        Other(stem, label, words) with { Processors = 2 };

    static IEnumerable<RunPlan> OfWildRow(ScenarioRow row)
    {
        var late = Usual(row) with { LateMs = OwnLateMs.GetValueOrDefault(row.Scenario.Name, UsualLateMs) };
        return [Usual(row), Usual(row) with { Runtime = TargetRuntime.Net8 },
            Usual(row) with { Runtime = TargetRuntime.Net9 }, late, late with { Runtime = TargetRuntime.Net8 }];
    }

    static RunPlan Usual(ScenarioRow row) => new(row, TargetRuntime.Net10) { Words = OwnWords.GetValueOrDefault(row.Stem, row.ShortWords) };
}
