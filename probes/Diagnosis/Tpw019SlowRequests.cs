using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Finds requests that are slow although no item waits for a worker thread: the requests wait elsewhere, without holding a worker thread.
/// </summary>
sealed class Tpw019SlowRequests : IFindingRule
{
    /// <summary>Minimum median duration of a slow route, milliseconds: users notice such a wait.</summary>
    const double SlowMs = 1_000;

    /// <summary>Minimum number of requests of a route; fewer requests may come from one caller with one large query.</summary>
    const long Enough = 5;

    public string Id => "TPW019";
    public string Title => "Slow requests with a cause other than the thread pool";

    public FindingMeaning Text { get; } = new(
        "No item waits for a worker thread, yet requests take a second or more.",
        "A request holds no worker thread while it awaits. Such a request spends its time on what it awaits: a database, another service, "
            + "a pooled connection, a semaphore. More worker threads would change nothing.",
        "Request times of an ASP.NET Core server: run report with --depth requests. If more requests run than worker threads exist, some "
            + "requests hold no thread.",
        "Look at what the requests await: how long those calls take, and how many may run at a time.",
        "Routes that are meant to wait: long polls, streams, large uploads.");

    public FindingCause Cause(PoolEvidence report) => new(CauseKind.Elsewhere, null);

    public FindingRuleAnswer Look(PoolEvidence report) =>
        report.Verdict == Verdict.Undecided ? new FindingRuleAnswer.Undecided(
            MissingEvidence.Lost(report, "so it is not known whether items waited")
                ?? (report.MayHang is null ? new(MissingKind.CounterSamples, "it is not known whether items wait for worker threads")
                    : new MissingData(MissingKind.Stacks, "it is not known whether worker threads hang")))
        : report.Verdict != Verdict.Healthy || IsComputing(report) ? new FindingRuleAnswer.Clear()
        : report.Requests is not { } requests
            ? new FindingRuleAnswer.Undecided(MissingKind.Requests, "request times were not measured", Hints.ListRequests(report))
        : Slowest(requests) is { } slow ? new FindingRuleAnswer.Found(Find(report, requests, slow))
        : new FindingRuleAnswer.Clear();

    // Whether the processors are busy: a computing request holds a worker thread and waits for nothing.
    static bool IsComputing(PoolEvidence report) => report.Timeline.CounterSamples.Average(sample => sample.Cpu) >= GateTiming.BusyCpu;

    static RouteTimes? Slowest(RequestTimes requests) => requests.Routes
        .Where(route => route.All.Counted >= Enough && route.All.P50Ms >= SlowMs)
        .MaxBy(route => route.All.Counted * route.All.P50Ms);

    Finding Find(PoolEvidence report, RequestTimes requests, RouteTimes slow)
    {
        var (most, workers) = (requests.OverTime.Max(second => second.UnderWay), report.MaxWorkers);
        var without = most - workers;
        return new(
            Id, Title, Severity.Note, without > 0 ? Confidence.High : Confidence.Low, requests.Watched.From, requests.Watched.To,
            $"Half of the {slow.Route} requests took {Format.Duration(slow.All.P50Ms)} or more. "
                + (without > 0
                    ? $"At least {Format.Count(without.Value)} of {Format.Plural(most, "request")} running at once held no worker thread."
                    : "It is not known whether they hold worker threads in that time."),
            [
                DeepEvidence.AtLeast($"Half of the {slow.Route} requests took", slow.All.P50Ms, "requests"),
                new("Most requests running at once", most, "requests", "requests"),
                new("Largest number of worker threads", workers, "workers", "heartbeat"),
            ],
            [
                without > 0
                    ? new("Look at what the requests await: a database, another service, a connection pool, a semaphore.")
                    : new("Look at what the requests wait for. On the screen, press t to take stacks of the worker threads."),
            ]);
    }
}
