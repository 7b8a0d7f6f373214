using Tpwatch.Core;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Benchmarks.Figures;

/// <summary>A part of a page that tells of the figures of tests/SCORES.md.</summary>
/// <param name="Page">Path from the root of the repository.</param>
/// <param name="Name">Name of the part's marks.</param>
/// <param name="Text">What stands there.</param>
sealed record PricePart(string Page, string Name, Func<WrittenTables, string> Text);

/// <summary>What watching costs, for users: in full for those who ask, and in a table on the first page.</summary>
static class PriceParts
{
    const double Kilobyte = 1000;

    public static IReadOnlyList<PricePart> All { get; } =
        [new("docs/cost.md", "price", InFull), new("README.md", "price short", InShort)];

    public static string InShort(WrittenTables scores) => FormattableString.Invariant(
        $"""
        | what | cost to the process |
        |---|---|
        | watching an idle process | {Idle(scores, ".NET 10", 2):0.0} ms of processor time and {Idle(scores, ".NET 10", 3) / Kilobyte:0.0} kB of events a second (.NET 8: {Idle(scores, ".NET 8", 2):0.0} ms, {Idle(scores, ".NET 8", 3) / Kilobyte:0.0} kB) |
        | watching a process that runs {ItemsPerSecond(scores)} items a second | {UnderLoad(scores)} |
        | `--depth stacks` | Two bursts of stack samples, and more while items wait. With up to {DepthPrice.BurstThreads} threads, each burst pauses the process for about {DepthPrice.BurstMs} ms in total. With hundreds of threads, the pause is hardly longer |
        | `--depth items` | Two events per item. A process saturated with {DepthPrice.ItemsPerSecond} items a second keeps {DepthPrice.ItemsShare} of its throughput (.NET 8: {DepthPrice.ItemsWithStacksShare}) |
        | `--depth requests` | Two events per request. At full load, a server kept about {DepthPrice.RequestsShare} of its throughput, within the scatter of the measurement |

        """).ReplaceLineEndings("\n");

    public static string InFull(WrittenTables scores)
    {
        var nothing = scores.Numbers(PricePage.Name, PricePage.Nothing, 1);
        return FormattableString.Invariant(
            $"""
            Measured on {Machine(scores)} (`dotnet run -c Release --project tests/Tpwatch.Benchmarks -- price --write`):

            | what | without | with the basic session and one counter sample a second |
            |---|---|---|
            | processor time per second of an idle target | {Idle(scores, ".NET 10", 1):0.00} ms | {Idle(scores, ".NET 10", 2):0.0} ms |
            | the same for a target on .NET 8 | {Idle(scores, ".NET 8", 1):0.00} ms | {Idle(scores, ".NET 8", 2):0.0} ms |
            | event stream of an idle target | none | {Idle(scores, ".NET 10", 3) / Kilobyte:0.0} kB a second |
            | the same for a target on .NET 8 | none | {Idle(scores, ".NET 8", 3) / Kilobyte:0.0} kB a second |
            | throughput of a target saturated with {ItemsPerSecond(scores)} items a second, as a share of its throughput without a session | {Share(nothing)} | {Share(scores, PricePage.Basic, nothing)} |
            | the same for a saturated target on .NET 8 | | {Share(scores, PricePage.BasicOnNet8, nothing)} |

            Throughput means items per second of the target's processor time.
            Each share is the median of {nothing[3]:0} pairs of runs, with the lowest and the highest in parentheses. A pair is a run without a session, followed by one with it.
            In the throughput rows, the column "without" compares two runs without a session, so its difference from 1 is chance.
            The runtime sends an event each time a worker thread runs out of work items. Where that happens often, the cost is higher.
            Without the screen, tpwatch prints lines: 95 % of them appear within {scores.Number(LatencyPage.Name, "Starvation", 1):0} ms of the event.

            """).ReplaceLineEndings("\n");
    }

    static double Idle(WrittenTables scores, string runtime, int column) => scores.Number(PricePage.Name, PricePage.Idle + runtime, column);

    /// <summary>Two digits are what a second run on the same machine repeats.</summary>
    static string ItemsPerSecond(WrittenTables scores) =>
        Format.Count((long)(Math.Round(scores.Number(PricePage.Name, PricePage.Rate, 1) / 10_000) * 10_000));

    static string Share(double[] share) => FormattableString.Invariant($"{share[0]:0.00} ({share[1]:0.00} to {share[2]:0.00})");

    static string Share(WrittenTables scores, string session, double[] nothing)
    {
        var share = scores.Numbers(PricePage.Name, session, 1);
        return $"{Share(share)}{(IsFree(share, nothing) ? ": any cost was smaller than the scatter" : "")}";
    }

    static string UnderLoad(WrittenTables scores) =>
        scores.Numbers(PricePage.Name, PricePage.Basic, 1) is var share
            && IsFree(share, scores.Numbers(PricePage.Name, PricePage.Nothing, 1))
            ? "Any cost was smaller than the scatter of the measurement"
            : FormattableString.Invariant($"The process keeps {share[0] * 100:0}% of its throughput");

    /// <summary>In the median no less is done than in that of two stretches without.</summary>
    static bool IsFree(double[] share, double[] nothing) => share[0] >= nothing[0];

    /// <summary>Without the clock and the load, which say nothing to a user.</summary>
    static string Machine(WrittenTables scores) =>
        string.Join(
            ", ", scores.Machine(PricePage.Name).Split(';')[0].Split(", ")
                .Where(word => !word.StartsWith("clock step", StringComparison.Ordinal)));
}
