namespace Tpwatch.Reports;

/// <summary>A stretch of a thread's time between two words about requests on it. No request began or ended on it meanwhile.</summary>
/// <param name="ThreadId">OS id.</param>
/// <param name="Span">From one to the next; from the beginning of the session where there is
/// none before, until now where none after.</param>
/// <param name="Begun">Route of the request that began on it at its beginning; null where none did.</param>
/// <param name="Ended">Route of the request that ended on it at its end; null where none did.</param>
/// <param name="EndedSince">When that one began; null where that was not seen.</param>
readonly record struct ThreadStretch(int ThreadId, EventSpan Span, string? Begun, string? Ended, EventTime? EndedSince);

/// <summary>How long requests of a route took, by the second in which they ended, and since when others are under way.</summary>
/// <param name="Route">The route.</param>
/// <param name="Slices">Those that ended.</param>
/// <param name="UnderWay">When the oldest that are under way began; bounded.</param>
/// <param name="More">How many more are under way.</param>
sealed record RouteSeen(string Route, ImmutableArray<ItemSlice> Slices, ImmutableArray<EventTime> UnderWay, int More);

/// <summary>Requests in a second: how many ended, how many were under way at most, and the slowest that ended, milliseconds.</summary>
readonly record struct RequestPoint(EventSpan Span, long Ended, int UnderWay, double SlowestMs);

/// <summary>What is known of requests up to one moment; immutable.</summary>
sealed record RequestSnapshot
{
    /// <summary>By route; bounded.</summary>
    public required ImmutableArray<RouteSeen> Routes { get; init; }

    /// <summary>The newest stretches of threads that lasted, in the order in which they ended; open ones last.</summary>
    public required ImmutableArray<ThreadStretch> Stretches { get; init; }

    /// <summary>Second by second, oldest first; bounded.</summary>
    public required ImmutableArray<RequestPoint> OverTime { get; init; }

    /// <summary>Requests of which only one end was seen: those under way before the session, and those beyond what is followed.</summary>
    public required long Unmatched { get; init; }

    /// <summary>First and last moment at which somebody listened.</summary>
    public required EventSpan Listened { get; init; }
}
