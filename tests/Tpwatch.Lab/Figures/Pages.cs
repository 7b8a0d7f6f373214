using Tpwatch.Core;

namespace Tpwatch.Lab.Figures;

/// <summary>
/// Work items per processor-second of a saturated target with a session, as a share of those without, and the rate of items without.
/// </summary>
sealed record PriceRows(Spread Basic, Spread Items, Spread Nothing, double ItemsPerSecond);

/// <summary>The same of a target on .NET 8, whose events of work items cannot leave their stacks out.</summary>
sealed record StackedRows(Spread Basic, Spread Items, double ItemsPerSecond);

/// <summary>
/// Processor time of an idle target, milliseconds a second, without and with a basic session, and the bytes of its stream.
/// </summary>
sealed record IdleRow(string Runtime, double WithoutMs, double WithMs, double BytesPerSecond);

/// <summary>The section of tests/SCORES.md about what watching costs.</summary>
static class PricePage
{
    /// <summary>Name of the section's markers.</summary>
    public const string Name = "price";

    public const string Basic = "basic";
    public const string Items = "items";
    public const string Nothing = "none";
    public const string BasicOnNet8 = "basic, a target on .NET 8";
    public const string ItemsOnNet8 = "items alone, a target on .NET 8";

    /// <summary>Items a second without a session.</summary>
    public const string Rate = "items a second without a session";

    /// <summary>A target that does nothing.</summary>
    public const string Idle = "idle target on ";

    /// <summary>Of a target that does nothing, and of one whose workers are blocked.</summary>
    public const string IdleBurst = "an idle target";
    public const string BlockedBurst = "a target with 60 blocked workers";

    const double BasicGoal = 0.98;
    const double ItemsGoal = 0.80;

    public static Goals GoalsOf(PriceRows rows) => new Goals()
        .AtLeast("share of the items with the basic session", rows.Basic.Median, BasicGoal)
        .AtLeast("share of the items with --depth items", rows.Items.Median, ItemsGoal);

    public static string Of((PriceRows Now, StackedRows Net8) rows, IEnumerable<IdleRow> idle,
        (BurstCost Idle, BurstCost Blocked) bursts, string machine) =>
        $"""
        ## What watching costs the target

        {machine} Written by `price --write`.

        A saturated pool: items done per processor-second of the target with a session, as a share of those without, in pairs, beside pairs without
        any session. On .NET 8 the guard against floods, which ends a session long before, was off.

        | session | share, median (least..most), pairs | goal |
        |---|---|---|
        | {Nothing} | {rows.Now.Nothing.Ratio()} | |
        | {Basic} | {rows.Now.Basic.Ratio()} | at least {BasicGoal:0.00} |
        | {Items} | {rows.Now.Items.Ratio()} | at least {ItemsGoal:0.00} |
        | {BasicOnNet8} | {rows.Net8.Basic.Ratio()} | |
        | {ItemsOnNet8} | {rows.Net8.Items.Ratio()} | |
        | {Rate} | {Format.Count((long)rows.Now.ItemsPerSecond)}; on .NET 8 {Format.Count((long)rows.Net8.ItemsPerSecond)} | |

        An idle target, with the basic session and its heartbeat of one a second:

        | target | processor time a second, without | with it | its stream |
        |---|---|---|---|
        {string.Join('\n', idle.Select(Row))}

        Bursts of stacks, in which the threads stand still a part of the time; the target's processor time includes the names at the end:

        | target | sampled for, median (least..most), bursts | threads | processor time of the target | until it can be read |
        |---|---|---|---|---|
        {Row(IdleBurst, bursts.Idle)}
        {Row(BlockedBurst, bursts.Blocked)}
        """;

    static string Row(IdleRow row) => $"| {Idle}{row.Runtime} | {row.WithoutMs:0.000} ms | {row.WithMs:0.00} ms | "
            + $"{Format.Count((long)row.BytesPerSecond)} bytes a second |";

    static string Row(string target, BurstCost burst) =>
        $"| {target} | {Ms(burst.Sampled)}, {burst.Sampled.Count} | {burst.Threads} | {Ms(burst.Cpu)} | {Ms(burst.Whole)} |";

    static string Ms(Spread spread) => $"{spread.Median:0} ms ({spread.Least:0}..{spread.Most:0})";
}

/// <summary>What one burst of stacks costs, milliseconds.</summary>
/// <param name="Sampled">From the first sample to the last: an upper bound of the pause.</param>
/// <param name="Cpu">Processor time of the target beyond what it uses anyway.</param>
/// <param name="Whole">From asking for it to having read it.</param>
/// <param name="Threads">Threads that were sampled.</param>
sealed record BurstCost(Spread Sampled, Spread Cpu, Spread Whole, int Threads);

/// <summary>
/// A server at a rate of requests (0: as many as go): requests per processor-second with the session, as a share of those without.
/// </summary>
sealed record RequestRow(double Asked, double PerSecond, Spread With, Spread Nothing);

/// <summary>The section of tests/SCORES.md about what watching requests costs.</summary>
static class RequestPage
{
    /// <summary>Name of the section's markers.</summary>
    public const string Name = "requests";

    public const string Saturated = "as many as go";

    const double TargetThreads = 0.95;

    public static Goals GoalsOf(IEnumerable<RequestRow> rows) => rows.Where(r => r.Asked > 0)
        .Aggregate(new Goals(), (goals, row) => goals.AtLeast("share of the requests with --depth requests", row.With.Median,
            TargetThreads));

    public static string Of(IEnumerable<RequestRow> rows, string machine) =>
        $"""
        ## What watching requests costs the target

        {machine} Written by `requests --write`.

        A server on .NET whose endpoint does nothing: requests per processor-second of the target with the session, as a share of those
        without, in pairs, beside pairs without any session. The callers are another process on the same processors.

        | requests a second | served without a session | share with, median (least..most), pairs | without, in pairs | goal |
        |---|---|---|---|---|
        {string.Join('\n', rows.Select(Row))}
        """;

    static string Row(RequestRow row) =>
        $"| {(row.Asked > 0 ? Format.Count((long)row.Asked) : Saturated)} | {Format.Count((long)row.PerSecond)} | {row.With.Ratio()} | "
            + $"{row.Nothing.Ratio()} | {(row.Asked > 0 ? $"at least {TargetThreads:0.00}" : "")} |";
}

/// <summary>The section of tests/SCORES.md about how soon a line is there.</summary>
static class LatencyPage
{
    /// <summary>Name of the section's markers.</summary>
    public const string Name = "latency";

    /// <summary>Milliseconds, at the 95th percentile: the runtime hands events out every 100 ms, the tool adds a tenth.</summary>
    const double GoalMs = 110;

    public static Goals GoalsOf(IReadOnlyCollection<(string Reason, Spread LateMs)> lines) => lines.Aggregate(
        new Goals().Add("no line of an adjustment was seen", lines.Count > 0),
        (goals, line) => goals.AtMost($"{line.Reason}, ms after the event at the 95th percentile", line.LateMs.Percentile(0.95), GoalMs));

    public static string Of(IEnumerable<(string Reason, Spread LateMs)> lines, string machine) =>
        $"""
        ## How soon a line is there

        {machine} From an adjustment's event to its line on standard output, a pipe. Written by `latency --write`.

        | adjustment | 95th percentile | median | most | lines | goal | |
        |---|---|---|---|---|---|---|
        {string.Join('\n', lines.Select(line => Row(line.Reason, line.LateMs)))}
        """;

    static string Row(string reason, Spread late) => $"| {reason} | {late.Percentile(0.95):0} ms | {late.Median:0} ms "
        + $"| {late.Most:0} ms | {late.Count} | at most {GoalMs:0} ms "
        + $"| {(late.Percentile(0.95) <= GoalMs ? "met" : "missed")} |";
}

/// <summary>The section of tests/SCORES.md about what a build makes.</summary>
static class ArtifactsPage
{
    /// <summary>Name of the section's markers.</summary>
    public const string Name = "artifacts";

    public const string Package = "the largest of the tool's packages";
    public const string SingleFile = "the single file for linux-x64";

    /// <summary>As the build step that packs has it: a tool is fetched over slow links in the middle of an incident.</summary>
    public const double MostPackageMegabytes = 12;

    public const double MostFileMegabytes = 45;

    public static Goals GoalsOf(long packageBytes) => new Goals().AtMost("the package, MB", packageBytes / 1e6, MostPackageMegabytes);

    public static string Of((long Package, long SingleFile) bytes, string machine) => $"""
        ## What a build makes

        {machine} From what `dotnet run build.cs -- pack publish` has left in `artifacts`. Written by `artifacts --write`.

        | what | measured | goal |
        |---|---|---|
        | {Package} | {bytes.Package / 1e6:0.00} MB | at most {MostPackageMegabytes:0} MB |
        | {SingleFile} | {bytes.SingleFile / 1e6:0.0} MB | at most {MostFileMegabytes:0} MB |
        """;
}
