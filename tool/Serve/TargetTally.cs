using Tpwatch.Watch;

namespace Tpwatch.Serve;

/// <summary>
/// The counters of a watched process; immutable. Each snapshot adds only what is new, so a session can forget old data or be replaced, and
/// no counter ever decreases.
/// </summary>
sealed record TargetTally
{
    public static TargetTally None { get; } = new();

    /// <summary>Number of episodes by their first verdict.</summary>
    public ImmutableSortedDictionary<Verdict, long> Episodes { get; private init; } = ImmutableSortedDictionary<Verdict, long>.Empty;

    /// <summary>Total time of episodes in seconds, by the verdict of the episode at that time.</summary>
    public ImmutableSortedDictionary<Verdict, double> Seconds { get; private init; } = ImmutableSortedDictionary<Verdict, double>.Empty;

    /// <summary>Injection delays that are new in the last snapshot; each delay is recorded once.</summary>
    public ImmutableArray<TalliedDelay> Fresh { get; private init; } = [];

    /// <summary>Total rises of the target thread count, in threads, by the runtime's reason.</summary>
    public ImmutableSortedDictionary<AdjustmentReason, long> Injected { get; private init; } =
        ImmutableSortedDictionary<AdjustmentReason, long>.Empty;

    /// <summary>Number of lost events.</summary>
    public long Lost { get; private init; }

    // The part of the current session that the counters already contain.
    int InjectionDelay { get; init; }

    int Begun { get; init; }
    double Ms { get; init; }
    long LostSeen { get; init; }

    /// <summary>Returns the counters increased by what is new in a snapshot.</summary>
    public TargetTally With(PoolGlance now) => WithEpisodes(now).WithDelays(now) with
    {
        Lost = Lost + Math.Max(0, now.Timeline.Quality.Lost - LostSeen),
        LostSeen = Math.Max(LostSeen, now.Timeline.Quality.Lost),
    };

    /// <summary>Returns the counters for a new session, of which the counters contain nothing yet.</summary>
    public TargetTally ForNewWatch() => this with { InjectionDelay = 0, Begun = 0, Ms = 0, LostSeen = 0 };

    // Later data can merge two episodes or move the start of an episode back; the counter then keeps its value.
    TargetTally WithEpisodes(PoolGlance now)
    {
        if (now.Episodes.IsEmpty)
        {
            return this;
        }

        var kind = now.Episodes[^1].Kind;
        var (begun, ms) = (now.Episodes.Length + now.Ledger.DroppedEpisodes, now.Episodes.Sum(e => e.Span.Ms) + now.Ledger.DroppedMs);
        return this with
        {
            Episodes = begun > Begun ? Episodes.SetItem(kind, Episodes.GetValueOrDefault(kind) + begun - Begun) : Episodes,
            Begun = Math.Max(Begun, begun),
            Seconds = ms > Ms ? Seconds.SetItem(kind, Seconds.GetValueOrDefault(kind) + (ms - Ms) / 1000) : Seconds,
            Ms = Math.Max(Ms, ms),
        };
    }

    TargetTally WithDelays(PoolGlance now)
    {
        var (delays, injected, newest) = (ImmutableArray.CreateBuilder<TalliedDelay>(), Injected, InjectionDelay);
        foreach (var delay in now.Ledger.Journal.Where(delay => delay.Number > InjectionDelay))
        {
            newest = Math.Max(newest, delay.Number);
            if (delay is { IsWait: true, ObservedMs: { } ms, Mechanism: not Mechanism.None })
            {
                delays.Add(new(delay.Mechanism, ms / 1000));
            }

            if (delay is { Reason: { } reason, TargetThreadsBefore: { } before, TargetThreadsAfter: { } after } && after > before)
            {
                injected = injected.SetItem(reason, injected.GetValueOrDefault(reason) + after - before);
            }
        }

        return this with { Fresh = delays.ToImmutable(), Injected = injected, InjectionDelay = newest };
    }
}

/// <summary>An injection delay, or a wait without an added thread.</summary>
/// <param name="Mechanism">The mechanism that explains the delay or the wait.</param>
/// <param name="Seconds">The duration, seconds.</param>
readonly record struct TalliedDelay(Mechanism Mechanism, double Seconds);
