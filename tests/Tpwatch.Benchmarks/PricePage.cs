using Tpwatch.Commands;

namespace Tpwatch.Benchmarks;

/// <summary>Work items per processor-second of a saturated target with a session, as a share of those without, and the rate of items without.</summary>
sealed record PriceRows(Spread Basic, Spread Items, Spread Nothing, double ItemsPerSecond);

/// <summary>The same of a target on .NET 8, whose events of work items cannot leave their stacks out.</summary>
sealed record StackedRows(Spread Basic, Spread Items, double ItemsPerSecond);

/// <summary>The section of tests/SCORES.md about what watching costs.</summary>
static class PricePage
{
    /// <summary>Name of the section's markers.</summary>
    public const string Name = "price";

    public static string Of((PriceRows Now, StackedRows Net8) rows, BurstCost burst, string machine) =>
        $"""
        ## What watching costs the target

        {machine} A saturated pool, {Format.Count((long)rows.Now.ItemsPerSecond)} items a second: items done per processor-second of the target with a session, as a share
        of those without, in pairs, beside pairs without any session. Written by `price --write`.

        | session | share, median (least..most), pairs | `--help` says | goal, gate |
        |---|---|---|---|
        | none | {rows.Now.Nothing.Ratio()} | | |
        | basic | {rows.Now.Basic.Ratio()} | {DepthOption.BasicShare} | 0.98, 0.90 |
        | items | {rows.Now.Items.Ratio()} | {DepthOption.ItemsShare} | 0.80, 0.70 |
        | basic, a target on .NET 8 | {rows.Net8.Basic.Ratio()} | | |
        | items alone, a target on .NET 8 | {rows.Net8.Items.Ratio()} | {DepthOption.ItemsWithStacksShare} | |

        On .NET 8 it was {Format.Count((long)rows.Net8.ItemsPerSecond)} items a second without a session; the guard against floods, which ends a session long before, was off.

        One burst of stacks, {burst.Threads} threads, {burst.Sampled.Count} bursts: sampled for {Ms(burst.Sampled)} ms, in which the threads stand still a part of the time
        (`--help` says {DepthOption.BurstMs} ms); {Ms(burst.Cpu)} ms of the target's processor time, the names at the end included; {Ms(burst.Whole)} ms until it could be read.
        """;

    static string Ms(Spread spread) => FormattableString.Invariant($"{spread.Median:0} ({spread.Least:0}..{spread.Most:0})");
}
