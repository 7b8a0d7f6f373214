namespace Tpwatch.Reports;

/// <summary>HTTP requests by route.</summary>
sealed record RequestTimes
{
    /// <summary>The routes, in descending order of the time lost to starvation.</summary>
    public required ImmutableArray<RouteTimes> Routes { get; init; }

    /// <summary>Number of requests whose start was seen and that have no answer so far.</summary>
    public required int UnderWay { get; init; }

    /// <summary>Number of requests whose start or end was not seen, such as requests in progress when the watch started.</summary>
    public required long Unmatched { get; init; }

    /// <summary>Requests by second, oldest first; bounded.</summary>
    public required ImmutableArray<RequestPoint> OverTime { get; init; }

    /// <summary>The time during which requests were watched.</summary>
    public required EventSpan Watched { get; init; }
}

/// <summary>The requests of a route; requests in progress count with their duration so far.</summary>
/// <param name="Route">Method and path.</param>
/// <param name="All">Durations of all requests.</param>
/// <param name="UnderWay">Number of requests without an answer so far.</param>
/// <param name="LostMs">Time that requests lost to starvation, milliseconds: for each request that overlaps starvation, its duration minus
/// the median duration outside starvation; its whole duration if fewer than two requests ended outside starvation.</param>
sealed record RouteTimes(string Route, Distribution All, int UnderWay, double LostMs)
{
    /// <summary>Durations of the requests that ended before items first waited; null if there are none.</summary>
    public Distribution? Before { get; init; }

    /// <summary>Durations of the requests that overlap starvation; null if there are none.</summary>
    public Distribution? During { get; init; }

    /// <summary>Durations of the requests that started after starvation was over; null if there are none.</summary>
    public Distribution? After { get; init; }
}

/// <summary>The time between two consecutive request events on a thread; no request starts or ends on the thread in between.</summary>
/// <param name="ThreadId">OS id of the thread.</param>
/// <param name="Span">From one event (or the start of the session) to the next (or to now, if there is none).</param>
/// <param name="Begun">Route of the request that started on the thread at the beginning of the span; null if none did.</param>
/// <param name="Ended">Route of the request that ended on the thread at the end of the span; null if none did.</param>
/// <param name="EndedSince">Start of the request that ended; null if this start was not seen.</param>
readonly record struct RequestEventInterval(int ThreadId, EventSpan Span, string? Begun, string? Ended, EventTime? EndedSince);

/// <summary>Durations of the requests of a route, by the second of their end, and start times of requests in progress.</summary>
/// <param name="Route">The route.</param>
/// <param name="Slices">The requests that ended.</param>
/// <param name="UnderWay">Start times of the oldest requests in progress; bounded.</param>
/// <param name="More">Number of further requests in progress.</param>
sealed record RouteDurations(string Route, ImmutableArray<SliceDurations> Slices, ImmutableArray<EventTime> UnderWay, int More);

/// <summary>Requests in one second: number that ended, largest number in progress, and longest duration of those that ended (ms).</summary>
readonly record struct RequestPoint(EventSpan Span, long Ended, int UnderWay, double SlowestMs);

/// <summary>The observations of requests up to one moment; immutable.</summary>
sealed record RequestSnapshot
{
    /// <summary>Requests by route; bounded.</summary>
    public required ImmutableArray<RouteDurations> Routes { get; init; }

    /// <summary>The newest spans of 2 ms or more between request events on a thread, ordered by end; unfinished spans are last.</summary>
    public required ImmutableArray<RequestEventInterval> Stretches { get; init; }

    /// <summary>Requests by second, oldest first; bounded.</summary>
    public required ImmutableArray<RequestPoint> OverTime { get; init; }

    /// <summary>
    /// Number of requests whose start or end was not seen: requests in progress before the session, and requests above the limit of tracked
    /// requests.
    /// </summary>
    public required long Unmatched { get; init; }

    /// <summary>First and last moment at which request events were received.</summary>
    public required EventSpan Listened { get; init; }
}
