using System.Globalization;
using Tpwatch.Core;

namespace Tpwatch.Benchmarks.Figures;

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

    static string Row(IdleRow row) => string.Create(
        CultureInfo.InvariantCulture,
        $"| {Idle}{row.Runtime} | {row.WithoutMs:0.000} ms | {row.WithMs:0.00} ms | "
            + $"{Format.Count((long)row.BytesPerSecond)} bytes a second |");

    static string Row(string target, BurstCost burst) =>
        $"| {target} | {Ms(burst.Sampled)}, {burst.Sampled.Count} | {burst.Threads} | {Ms(burst.Cpu)} | {Ms(burst.Whole)} |";

    static string Ms(Spread spread) => FormattableString.Invariant($"{spread.Median:0} ms ({spread.Least:0}..{spread.Most:0})");
}
