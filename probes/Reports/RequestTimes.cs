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
/// <param name="LostMs">
/// For the requests that overlap starvation, the sum of their durations above the median of the requests outside starvation; if fewer than
/// two ended outside starvation, the sum of the full durations. Milliseconds.
/// </param>
sealed record RouteTimes(string Route, Distribution All, int UnderWay, double LostMs)
{
    /// <summary>Requests that ended before items first waited; null if there are none.</summary>
    public Distribution? Before { get; init; }

    /// <summary>Requests that overlap starvation; null if there are none.</summary>
    public Distribution? During { get; init; }

    /// <summary>Requests that started after starvation was over; null if there are none.</summary>
    public Distribution? After { get; init; }
}
