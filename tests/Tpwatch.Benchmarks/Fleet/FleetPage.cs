using Tpwatch.Benchmarks.Figures;

namespace Tpwatch.Benchmarks.Fleet;

/// <summary>The sections of tests/SCORES.md about <c>serve</c>.</summary>
static class FleetPage
{
    /// <summary>Names of the sections' markers.</summary>
    public const string Name = "fleet", ComeAndGoName = "fleet come and go", PriceName = "fleet price", ReplayedName = "fleet replayed";

    /// <summary>As of one basic session that somebody looks at.</summary>
    const double PriceGoal = 0.98;

    public static string Of(IEnumerable<string> rows, IEnumerable<string> sentences, string machine) =>
        $"""
        ## What watching many takes

        {machine} One watcher, processes that are idle, the last of which then starves. Written by `fleet --write`.

        {string.Join('\n', rows)}

        {string.Join('\n', sentences.Select(sentence => $"- {sentence}"))}
        """;

    public static string OfReplayed(IEnumerable<string> rows, string machine) =>
        $"""
        ## What watching more processes than a machine can run takes

        {machine} One process is recorded while it is idle; each target of the fleet's own code is a replay of it in real time, in one process with
        the limits of the tool. A round is what `serve` does once a second. Written by `fleet replayed --write`.

        {string.Join('\n', rows)}
        """;

    public static string Of(ComeAndGoFigures seen, string machine) => FormattableString.Invariant(
        $"""
        ## What is left of processes that come and go

        {machine} Written by `fleet come --write`.

        {seen.Started} processes came and went, {seen.Watched} of them were watched before they ended. Every second one was killed.
        {seen.Hung} of the others did not end within 10 s: the fault of the runtime that [docs/cost.md](../docs/cost.md) tells of.
        Here processes are attached to at once; `serve` leaves those alone that are younger than 10 s.

        | the watcher's | before | after a tenth of the time | 20 s after the last |
        |---|---|---|---|
        | threads | {seen.Before.Threads} | {seen.Tenth.Threads} | {seen.After.Threads} |
        | open files and sockets, without assemblies | {seen.Before.Descriptors} | {seen.Tenth.Descriptors} | {seen.After.Descriptors} |
        | files in its temporary folder | {seen.Before.Files} | {seen.Tenth.Files} | {seen.After.Files} |
        | memory, MB | {seen.Before.Megabytes:0} | {seen.Tenth.Megabytes:0} | {seen.After.Megabytes:0} |
        """);

    public static string Of(FleetPrices prices, string machine) =>
        $"""
        ## What a fleet's watcher costs each process

        {machine} Written by `fleet price --write`.

        A saturated pool: items with a watcher, as a share of those without, in pairs, beside pairs without anybody.
        Watcher and process share the processors.

        | watched by | items a processor-second of the process, median (least..most), pairs | items a second | goal |
        |---|---|---|---|
        | nobody | {Ratio(prices.Nobody, s => s.OfTarget)} | {Ratio(prices.Nobody, s => s.OfMachine)} | |
        | `serve` | {Ratio(prices.Serve, s => s.OfTarget)} | {Ratio(prices.Serve, s => s.OfMachine)} | at least {PriceGoal:0.00} |
        | `-p PID`, lines | {Ratio(prices.Lines, s => s.OfTarget)} | {Ratio(prices.Lines, s => s.OfMachine)} | |
        """;

    public static Goals GoalsOf(IEnumerable<Share> serve, IEnumerable<Share> lines) => new Goals()
        .AtLeast("share of items with serve", new Spread(serve.Select(s => s.OfTarget)).Median, PriceGoal)
        .AtLeast("share of items with lines", new Spread(lines.Select(s => s.OfTarget)).Median, PriceGoal);

    static string Ratio(IEnumerable<Share> shares, Func<Share, double> of) => new Spread(shares.Select(of)).Ratio();
}
