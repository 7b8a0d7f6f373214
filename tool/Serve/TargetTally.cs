using Tpwatch.Watch;

namespace Tpwatch.Serve;

/// <summary>
/// What is counted of a target for as long as it is watched; immutable, and only ever grows. It follows what the watch shows from look to
/// look, so that a watch may forget, or be replaced by a fresh one, without a counter going back.
/// </summary>
sealed record TargetTally
{
    public static TargetTally None { get; } = new();

    /// <summary>Episodes by the verdict under which each was first seen.</summary>
    public ImmutableSortedDictionary<Verdict, long> Episodes { get; private init; } = ImmutableSortedDictionary<Verdict, long>.Empty;

    /// <summary>How long they lasted, seconds, by the verdict of the moment.</summary>
    public ImmutableSortedDictionary<Verdict, double> Seconds { get; private init; } = ImmutableSortedDictionary<Verdict, double>.Empty;

    /// <summary>Waits for a worker that the last look was the first to show: each is recorded once.</summary>
    public ImmutableArray<TalliedDelay> Fresh { get; private init; } = [];

    /// <summary>Threads that the pool added to its target count, by the runtime's reason.</summary>
    public ImmutableSortedDictionary<AdjustmentReason, long> Injected { get; private init; } =
        ImmutableSortedDictionary<AdjustmentReason, long>.Empty;

    /// <summary>Events lost.</summary>
    public long Lost { get; private init; }

    // What of the present watch is counted already.
    int InjectionDelay { get; init; }

    int Begun { get; init; }
    double Ms { get; init; }
    long LostSeen { get; init; }

    /// <summary>The same with what is new in a look.</summary>
    public TargetTally With(PoolGlance now) => WithEpisodes(now).WithDelays(now) with
    {
        Lost = Lost + Math.Max(0, now.Timeline.Quality.Lost - LostSeen),
        LostSeen = Math.Max(LostSeen, now.Timeline.Quality.Lost),
    };

    /// <summary>The same for a watch that begins anew: nothing of it is counted yet.</summary>
    public TargetTally ForNewWatch() => this with { InjectionDelay = 0, Begun = 0, Ms = 0, LostSeen = 0 };

    // Two episodes may turn out to be one, and one may begin earlier than was known: what was counted once stays counted.
    TargetTally WithEpisodes(PoolGlance now)
    {
        var ledger = now.Ledger;
        if (ledger.Episodes.IsEmpty)
        {
            return this;
        }

        var kind = ledger.Episodes[^1].Kind;
        var (begun, ms) = (ledger.Episodes.Length + ledger.DroppedEpisodes, ledger.Episodes.Sum(e => e.Span.Ms) + ledger.DroppedMs);
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

/// <summary>A wait for a worker.</summary>
/// <param name="Mechanism">What made it so long.</param>
/// <param name="Seconds">How long it was.</param>
readonly record struct TalliedDelay(Mechanism Mechanism, double Seconds);
