using Tpwatch.Basics;
using Tpwatch.Findings.Clues;
using Tpwatch.Model;
using Tpwatch.Reports;
using Tpwatch.Reports.Items;

namespace Tpwatch.Findings;

/// <summary>Requests are slow although nothing waits for a worker: what they wait for is elsewhere, and holds none.</summary>
sealed class Tpw019SlowRequests : IFinder
{
    /// <summary>Somebody who waits for an answer notices it, milliseconds.</summary>
    const double SlowMs = 1_000;

    /// <summary>Fewer of a route may be those of one caller with one large question.</summary>
    const long Enough = 5;

    public string Id => "TPW019";

    public string Title => "Requests are slow though no worker thread is missing";

    public FindingMeaning Text { get; } = new(
        "Nothing waits for a worker thread, yet requests take a second or more. A request that awaits holds no worker thread meanwhile. "
            + "Its time goes to what it awaits: a database, another service, a connection of a pool, a semaphore. "
            + "More worker threads change nothing.",
        "Times of an ASP.NET Core server's requests, by report without a duration or --depth requests. "
            + "More requests under way than worker threads prove that the others hold none.",
        "Look at what the requests await: how long its calls take, and how many are let through at a time.",
        "Routes that are meant to wait: long polls, streams, large uploads.");

    public FindingCause Cause(PoolReport report) => new(CauseKind.Elsewhere, null);

    public FinderAnswer Look(PoolReport report) =>
        report.Verdict == Verdict.Undecided ? new FinderAnswer.Undecided(
            report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true }
                ? "events were lost; whether items waited is not known"
                : "whether items wait for worker threads")
        : report.Verdict != Verdict.Healthy || IsComputing(report) ? new FinderAnswer.Clear()
        : report.Requests is not { } requests
            ? new FinderAnswer.Undecided("how long requests take: --depth requests, on an ASP.NET Core server")
        : Slowest(requests) is { } slow ? new FinderAnswer.Found(Find(report, requests, slow))
        : new FinderAnswer.Clear();

    // Who computes holds a worker, and there is nothing to wait for.
    static bool IsComputing(PoolReport report) => report.Timeline.Heartbeats.Average(beat => beat.Cpu) >= GateTiming.BusyCpu;

    static RouteTimes? Slowest(RequestTimes requests) => requests.Routes
        .Where(route => Count(route) >= Enough && route.All.P50Ms >= SlowMs)
        .MaxBy(route => Count(route) * route.All.P50Ms);

    static long Count(RouteTimes route) => route.All.Count + route.All.Unfinished;

    Finding Find(PoolReport report, RequestTimes requests, RouteTimes slow)
    {
        var (most, workers) = (requests.OverTime.Max(second => second.UnderWay), report.MaxWorkers);
        var without = most - workers;
        return new(
            Id, Title, Severity.Note, without > 0 ? Confidence.High : Confidence.Low, requests.Watched.From, requests.Watched.To,
            $"Half of {slow.Route} took {Format.Duration(slow.All.P50Ms)} or more. "
                + (without > 0
                    ? $"At least {Format.Count(without.Value)} of {Format.Plural(most, "request")} under way held no worker thread."
                    : "Whether they hold worker threads meanwhile is not known."),
            [
                new($"Half of {slow.Route} took at least", slow.All.P50Ms, "ms", "requests"),
                new("Requests under way at once, at most", most, "requests", "requests"),
                new("Worker threads, at most", workers, "workers", "heartbeat"),
            ],
            [
                without > 0
                    ? new("Look at what they await: a database, another service, a connection pool, a semaphore.")
                    : new("Look at what they wait for. On the screen, t takes stacks of the worker threads at once."),
            ]);
    }
}
