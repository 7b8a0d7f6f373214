namespace Tpwatch.Reports;

/// <summary>HTTP requests by route.</summary>
sealed record RequestTimes
{
    /// <summary>The route that lost most time first.</summary>
    public required ImmutableArray<RouteTimes> Routes { get; init; }

    /// <summary>Requests that have begun and not been answered, of those whose beginning was seen.</summary>
    public required int UnderWay { get; init; }

    /// <summary>Requests of which only one end was seen, as of those that were under way when the watch began.</summary>
    public required long Unmatched { get; init; }

    /// <summary>Second by second, oldest first; bounded.</summary>
    public required ImmutableArray<RequestPoint> OverTime { get; init; }

    /// <summary>From when to when requests were watched.</summary>
    public required EventSpan Watched { get; init; }
}

/// <summary>The requests of a route; those under way count with what they have behind them.</summary>
/// <param name="Route">Method and path.</param>
/// <param name="All">How long they took.</param>
/// <param name="UnderWay">How many have begun and not been answered.</param>
/// <param name="LostMs">
/// Of those that met starvation, how much longer they took in all than as many did outside it, by the median; without any outside, how long
/// they took in all. Milliseconds.
/// </param>
sealed record RouteTimes(string Route, Distribution All, int UnderWay, double LostMs)
{
    /// <summary>Those that ended before work first waited; null where there is none.</summary>
    public Distribution? Before { get; init; }

    /// <summary>Those that met starvation.</summary>
    public Distribution? During { get; init; }

    /// <summary>Those that began after it was over.</summary>
    public Distribution? After { get; init; }
}
