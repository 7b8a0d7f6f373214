using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>An episode as far as it has been seen, and what decides of which kind it is.</summary>
/// <param name="Span">From when to when items waited.</param>
/// <param name="Processors">Readings of the processors of its newest <see cref="LatelyMs"/>, and whether they were busy.</param>
/// <param name="WasBusy">Whether they ever were busy.</param>
/// <param name="LongestMs">Longest wait that is proven, milliseconds.</param>
sealed record EpisodeSoFar(EventSpan Span, ImmutableArray<(EventTime At, bool Busy)> Processors, bool WasBusy, double LongestMs)
{
    /// <summary>
    /// Five readings of a second tell what lasts: fewer are a pause, and what was so for minutes before says nothing of what holds the
    /// items now.
    /// </summary>
    public const double LatelyMs = 5000;

    /// <summary>When the pool last added a worker for it.</summary>
    public EventTime? AddedAt { get; init; }

    /// <summary>When events were lost last, a worker that the pool added perhaps among them.</summary>
    public EventTime? LostAt { get; init; }

    /// <summary>When its wait was last charged to a detector that is kept asleep: for long enough no worker had come.</summary>
    public EventTime? SilentAt { get; init; }

    /// <summary>
    /// Whether the gate gave back what hill climbing had taken while it stood at max: it injected, and max is reached all the same.
    /// </summary>
    public bool GaveBack { get; init; }

    /// <summary>When it last stood at max.</summary>
    public EventTime? AtMaxAt { get; init; }

    /// <summary>The most workers with which it stood there, or the goal if that was more.</summary>
    public int AtMaxWith { get; init; }

    /// <summary>When it last was wedged.</summary>
    public EventTime? WedgedAt { get; init; }

    /// <summary>Its kind, once nothing that is still to come can change it; null before.</summary>
    public Verdict? Settled { get; init; }

    // Busy processors explain the wait whether or not the gate injected: its rule fires under load too, only later. Otherwise the
    // newest state counts: a pool that has grown to its max and stands there is at max, and one that grows again is not.
    public Verdict Kind => Processors.Count(r => r.Busy) * 2 > Processors.Length ? Verdict.Saturated
        : WedgedAt is not null && WedgedAt >= Latest(AddedAt, AtMaxAt) ? Verdict.Wedged
        : AtMaxAt is not null && AtMaxAt >= Latest(AddedAt, null) ? Verdict.StarvedAtMax
        : AddedAt is not null || LostAt > Latest(SilentAt, null) ? Verdict.Starved
        : Verdict.SilentlyStarved;

    public EpisodeSoFar With(EpisodeSoFar next) => new(
        new(Span.From < next.Span.From ? Span.From : next.Span.From, EventTime.Max(Span.To, next.Span.To)),
        Lately([.. Processors, .. next.Processors]), WasBusy || next.WasBusy, Math.Max(LongestMs, next.LongestMs))
    {
        AddedAt = Newer(AddedAt, next.AddedAt),
        LostAt = Newer(LostAt, next.LostAt),
        SilentAt = Newer(SilentAt, next.SilentAt),
        GaveBack = GaveBack || next.GaveBack,
        AtMaxAt = Newer(AtMaxAt, next.AtMaxAt),
        AtMaxWith = Math.Max(AtMaxWith, next.AtMaxWith),
        WedgedAt = Newer(WedgedAt, next.WedgedAt),
    };

    static ImmutableArray<(EventTime At, bool Busy)> Lately(ImmutableArray<(EventTime At, bool Busy)> all) =>
        all.IsEmpty ? all : all.RemoveAll(r => r.At < all[^1].At.PlusMs(-LatelyMs));

    static EventTime? Newer(EventTime? one, EventTime? other) => one is { } a && other is { } b ? EventTime.Max(a, b) : one ?? other;

    static EventTime Latest(EventTime? one, EventTime? other) => Newer(one, other) ?? new EventTime(long.MinValue);
}
