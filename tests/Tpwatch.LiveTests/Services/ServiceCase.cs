using System.Collections.Immutable;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Services;

/// <summary>What a report of a service must say.</summary>
/// <param name="Scenario">The scenario.</param>
/// <param name="Verdicts">Verdicts that are right.</param>
sealed record ServiceCase(string Scenario, params Verdict[] Verdicts)
{
    static readonly Verdict[] NotSeen = [Verdict.SilentlyStarved, Verdict.Starved];

    /// <summary>The service's own method that blocks; null where none does.</summary>
    public string? Method { get; private init; }

    /// <summary>
    /// The route whose requests hold the workers, or that is slow without one; null where none of them begins or ends while it is looked
    /// at, so that nothing tells, and where none is slow.
    /// </summary>
    public string? Route { get; private init; }

    /// <summary>
    /// Whether the method may be inlined into the delegate that the framework compiles for the endpoint: stacks name no more then.
    /// </summary>
    public bool IsShort { get; private init; }

    /// <summary>What the workers wait for, in the words of the report.</summary>
    public string Resource { get; private init; } = "";

    /// <summary>What helps against it.</summary>
    public string Remedy { get; private init; } = "";

    /// <summary>Whether only so many get through at a time, so that more workers change nothing.</summary>
    public bool IsLimited { get; private init; }

    /// <summary>Where stacks alone do not show the limit: what a larger MinThreads is said to depend on; null where they do.</summary>
    public string? Condition { get; private init; }

    /// <summary>Scenarios that need PostgreSQL.</summary>
    public static ImmutableArray<string> OnDatabase { get; } = ["connection-pool", "result-of-query", "slow-database"];

    public static ImmutableArray<ServiceCase> All { get; } =
    [
        new("connection-pool", NotSeen)
        {
            Method = "OrderStore.Load", Route = "GET /orders/{n}", Resource = "Npgsql's connection pool", Remedy = "Maximum Pool Size",
            IsLimited = true,
        },
        new("result-of-query", Verdict.Starved, Verdict.Compensated)
        {
            Method = "StockRoom.Reserve", Route = "GET /stock/{n}", Resource = "a task", Remedy = "Await the task",
        },
        new("singleton-lock", NotSeen)
        {
            Method = "PriceCache.Price", Route = "GET /prices/{n}", Resource = "a lock", Remedy = "for a shorter time",
            IsLimited = true,
        },
        new("file-log", NotSeen)
        {
            Method = "AuditLog.Write", Route = "GET /payments/{n}", Resource = "a lock", Remedy = "for a shorter time",
            IsLimited = true,
        },
        new("few-connections", Verdict.Starved, Verdict.SilentlyStarved, Verdict.Compensated)
        {
            Method = "RatesClient.Rate", Route = "GET /rates/{n}", Resource = "HttpClient's connection pool",
            Remedy = "MaxConnectionsPerServer", IsLimited = true, Condition = "if MaxConnectionsPerServer is not set",
        },
        new("max-at-start", Verdict.StarvedAtMax)
        {
            Method = "ReportBuilder.Build", Route = "GET /reports/{n}", IsShort = true, Resource = "a sleep", Remedy = "Task.Delay",
            IsLimited = true,
        },
        new("delay-at-max", Verdict.StarvedAtMax)
        {
            Method = "Reminder.Remind", IsShort = true, Resource = "needs a worker", Remedy = "Await the task", IsLimited = true,
        },
        new("slow-database", Verdict.Healthy) { Route = "GET /orders/async/{n}" },
        new("background-loops", Verdict.Healthy),
    ];
}
