using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Fixtures.Services.Database;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;
using Tpwatch.Run;

namespace Tpwatch.Benchmarks.Beside;

/// <summary>
/// What this tool names and what dotnet-trace names, of the same process a few seconds apart. Writes tests/BESIDE.md; misses its goal where
/// the service's own method or its route is not what this tool names first.
/// </summary>
static class BesideCommand
{
    const int UsualParallel = 2;

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (parallel, dry) = (words.Number("--parallel", UsualParallel), words.Has("--dry"));
        var chosen = BesideCase.All.Where(one => words.Rest.Count == 0 || words.Rest.Contains(one.Scenario)).ToArray();
        if (chosen.Length == 0)
            return words.Refuse("no case has one of these names");
        if (PostgresPrograms.Find() is null)
            return words.Refuse("no PostgreSQL was found");
        var load = MachineWords.LoadNow();
        await TraceReport.RestoreAsync(CancellationToken.None);
        var seen = await Trials<BothLooks>.RunAsync(chosen, parallel, one => one.Scenario, BothLooks.OfAsync, Row);
        if (!dry && seen.Failures is [])
            File.WriteAllText(BuiltPrograms.InTests("BESIDE.md"), Write(MachineWords.Of(load), seen.Done));
        return seen.Conclude(
            new Goals().AtMost("services whose own method or route was not named first", seen.Done.Count(row => !row.IsNamed), 0));
    }

    static string Write(string machine, BothLooks[] rows) => $"""
        # Beside dotnet-trace

        Each service (`fixtures/Services`) was met after 6 s: first by this tool with the default of `report`, until it knew what blocks; then
        by `dotnet-trace collect --profile dotnet-sampled-thread-time` for 5 s, and its `report topN`, exclusive and inclusive. The last column is
        the line of its inclusive list, of 200, at which the service's own method stands. Written by
        `dotnet run --project tests/Tpwatch.Benchmarks -c Release -- beside`.

        {machine}

        | service | tpwatch names | after | dotnet-trace, exclusive, first three | own method in its inclusive list | trace |
        |---|---|---|---|---|---|
        {string.Join('\n', rows.Select(row => $"| {Row(row)} |"))}

        """.ReplaceLineEndings("\n");

    static string Row(BothLooks both) => $"{both.Case.Scenario} | {both.First?.Chain ?? "nothing"} | {both.AfterMs / 1000:0.0} s | "
        + $"{string.Join(", ", both.Trace.Exclusive.Take(3).Select(line => $"{line.Method} {line.Share}"))} | "
        + $"{(both.Own is { Place: > 0 } own ? $"line {own.Place}, {own.Share}" : "not in it")} | {both.Trace.Bytes / 1e6:0.0} MB";
}

/// <summary>A service and what is to be named: its own method that blocks, or the route whose requests suffer.</summary>
sealed record BesideCase(string Scenario, string Method, string Route)
{
    public static BesideCase[] All { get; } =
    [
        new("connection-pool", "OrderStore.Load", "GET /orders/{n}"),
        new("result-of-query", "StockRoom.Reserve", "GET /stock/{n}"),
        new("singleton-lock", "PriceCache.Price", "GET /prices/{n}"),
        new("file-log", "AuditLog.Write", "GET /payments/{n}"),
        new("few-connections", "RatesClient.Rate", "GET /rates/{n}"),
        new("max-at-start", "ReportBuilder.Build", "GET /reports/{n}"),
        new("delay-at-max", "Reminder.Remind", "GET /reminders/{n}"),
        new("tutorial-result", "CustomersController.ByResult", "GET /customers/result/{n}"),
        new("tutorial-sleep", "CustomersController.BySleep", "GET /customers/sleep/{n}"),
    ];
}

/// <summary>The same process looked at by both, one after the other: two sessions with samples would share one another's pauses.</summary>
sealed record BothLooks(BesideCase Case, PoolReport Report, TraceReport Trace)
{
    const int Processors = 8;

    const int TraceSeconds = 5;

    static readonly TimeSpan Unseen = TimeSpan.FromSeconds(6);

    /// <summary>As long as a report without a duration.</summary>
    static readonly TimeSpan Longest = TimeSpan.FromSeconds(30);

    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(100);

    public Blocker? First => Report.Blockers is [var first, ..] ? first : null;

    public double AfterMs => Report.Timeline.Now.MsSince(Report.Timeline.Start);

    /// <summary>Whether what is named first is the service's own: its method, or the route that calls it.</summary>
    public bool IsNamed => First is { } first
        && (first.Frame.EndsWith("." + Case.Method, StringComparison.Ordinal)
            || first.Chain.StartsWith(Case.Route, StringComparison.Ordinal));

    /// <summary>Where dotnet-trace has the method; default where it has not.</summary>
    public TraceLine Own => Trace.Inclusive.FirstOrDefault(line => line.Method.EndsWith(Case.Method, StringComparison.Ordinal));

    public static async Task<BothLooks> OfAsync(BesideCase one, CancellationToken cancel)
    {
        await using var service = await FixtureProcess.StartAsync(
            new(BuiltPrograms.Host, ["exec", BuiltPrograms.Services]), [one.Scenario, "--seconds", "90"], Processors, cancel);
        await service.BeginAsync();
        await Task.Delay(Unseen, cancel);
        var report = await LookAsync(service.Pid, cancel);
        return new(one, report, await TraceReport.OfAsync(service.Pid, TraceSeconds, cancel));
    }

    static async Task<PoolReport> LookAsync(int pid, CancellationToken cancel)
    {
        await using var watch = await ThreadPoolWatch.AttachAsync(
            pid, new WatchOptions { Depth = CaptureDepth.Auto, RequestsAnyway = true }, cancel);
        var begun = Stopwatch.GetTimestamp();
        while (!watch.Completion.IsCompleted && !EnoughSeen.In(watch.Report()) && Stopwatch.GetElapsedTime(begun) < Longest)
            await Task.Delay(LookAgain, cancel);
        await watch.StopAsync(cancel);
        return watch.Report();
    }
}

/// <summary>A line of dotnet-trace's <c>report topN</c>: its number, the method without its arguments, and the share of the time.</summary>
readonly record struct TraceLine(int Place, string Method, string Share);

/// <summary>What dotnet-trace says of a process: sampled for some seconds, then its own report; and the size of what it wrote.</summary>
sealed partial record TraceReport(TraceLine[] Exclusive, TraceLine[] Inclusive, long Bytes)
{
    const int Told = 5;

    /// <summary>More than a reader looks at.</summary>
    const int Listed = 200;

    /// <summary>Of the tool manifest; fetched unless it is there.</summary>
    public static Task RestoreAsync(CancellationToken cancel) => Processes.OutputAsync(["tool", "restore"], cancel);

    /// <summary>Samples for so many seconds.</summary>
    public static async Task<TraceReport> OfAsync(int pid, int seconds, CancellationToken cancel)
    {
        // It makes one beside in order to read it.
        using var folder = new TempFolder();
        var file = folder["beside.nettrace"];
        await Processes.OutputAsync(["tool", "run", "dotnet-trace", "--", "collect", "-p", $"{pid}",
            "--profile", "dotnet-sampled-thread-time", "--duration", $"00:00:{seconds:00}", "-o", file], cancel);
        return new(await TopAsync(file, Told, cancel), await TopAsync(file, Listed, cancel, "--inclusive"), new FileInfo(file).Length);
    }

    static async Task<TraceLine[]> TopAsync(string file, int count, CancellationToken cancel, params string[] more)
    {
        var said = await Processes.OutputAsync(
            ["tool", "run", "dotnet-trace", "--", "report", file, "topN", "-n", $"{count}", .. more], cancel);
        return [.. said.Split('\n').Select(line => Line.Match(line)).Where(match => match.Success)
            .Select(match => new TraceLine(int.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture),
                match.Groups[2].Value.Split('(')[0].Trim(), match.Groups[more.Length == 0 ? 4 : 3].Value))];
    }

    // "2. Monitor.Wait(class System.Object,int32)      20%      20%": inclusive, then exclusive.
    [GeneratedRegex(@"^(\d+)\.\s+(\S.*?)\s{2,}(\S+%)\s+(\S+%)\s*$")]
    static partial Regex Line { get; }
}
