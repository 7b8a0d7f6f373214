using System.Diagnostics;
using Tpwatch.Reports;
using Tpwatch.Run;

namespace Tpwatch.Benchmarks.Beside;

/// <summary>A service and what is to be named.</summary>
/// <param name="Scenario">The scenario.</param>
/// <param name="Method">The service's own method that blocks.</param>
/// <param name="Route">The route whose requests suffer.</param>
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
            new ProcessStartInfo(BuiltPrograms.Host, ["exec", BuiltPrograms.Services]), Processors, [one.Scenario, "--seconds", "90"]);
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
