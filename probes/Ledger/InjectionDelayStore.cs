using System.Runtime.InteropServices;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Keeps a bounded number of injection delays with their numbers. A delay that is judged again keeps its number and place. Delays in which
/// items may have waited (<see cref="InjectionDelay.IsWait"/>) and other adjustments have separate limits. Otherwise hill climbing, which
/// changes the target thread count five times a second, would soon displace the waits.
/// </summary>
sealed class InjectionDelayStore
{
    /// <summary>Maximum number of waits kept: one week at one injection a minute, or forty minutes at four a second.</summary>
    const int WaitCapacity = 10_000;

    /// <summary>Maximum number of other adjustments kept: a quarter of an hour at five a second.</summary>
    const int MoveCapacity = 5_000;

    /// <summary>Maximum number of delays in the journal, which lists new delays in order of arrival for output as lines.</summary>
    const int JournalCapacity = 1_000;

    readonly NumberedDelays waits = new(WaitCapacity);
    readonly NumberedDelays moves = new(MoveCapacity);
    readonly Recent<InjectionDelay> journal = new(JournalCapacity);
    DelayTally forgotten = DelayTally.Of([]);
    int evicted;
    int newest;
    int issued;

    public int NextNumber() => ++issued;

    /// <summary>Returns the number that the next injection delay will get.</summary>
    public int PeekNumber() => issued + 1;

    /// <summary>Adds an injection delay, or replaces the kept delay that has the same number.</summary>
    public void Put(InjectionDelay delay)
    {
        var shelf = delay.IsWait ? waits : moves;
        if (delay.Number <= newest)
        {
            shelf.Replace(delay);
            return;
        }

        newest = delay.Number;
        journal.Add(delay);
        if (shelf.Add(delay) is { } oldest)
        {
            forgotten = forgotten.Plus(DelayTally.Of([oldest]));
            evicted++;
        }
    }

    /// <summary>Returns the kept injection delays that ended at or after a given time.</summary>
    public IEnumerable<InjectionDelay> Since(EventTime at) => waits.Since(at).Concat(moves.Since(at));

    public LedgerSnapshot Snapshot(InjectionDelay? open)
    {
        var kept = ImmutableCollectionsMarshal.AsImmutableArray(waits.MergedWith(moves, open));
        return new() { InjectionDelays = kept, Journal = journal.Copy(), Evicted = evicted, Tally = forgotten.Plus(DelayTally.Of(kept)) };
    }
}

/// <summary>State of the <see cref="PoolLedger"/> at one time; immutable.</summary>
sealed record LedgerSnapshot
{
    public required ImmutableArray<InjectionDelay> InjectionDelays { get; init; }
    public required ImmutableArray<InjectionDelay> Journal { get; init; }
    public required long Evicted { get; init; }
    public required DelayTally Tally { get; init; }
    public int? MayHang { get; init; }

    public ImmutableSortedDictionary<AdjustmentReason, int> Adjustments { get; init; } =
        ImmutableSortedDictionary<AdjustmentReason, int>.Empty;

    public int Compensations { get; init; }
    public ImmutableArray<StarvedEpisode> Episodes { get; init; } = [];
    public int? MaxWorkers { get; init; }
    public long? MaxQueueLength { get; init; }
    public int DroppedEpisodes { get; init; }
    public double DroppedMs { get; init; }

    /// <summary>The hang (worker threads hold items, and none completes) that has not ended; null when there is none.</summary>
    public StarvedEpisode? LastingHang => Episodes is [.., { Kind: Verdict.Held, Over: false } held] ? held : null;

    /// <summary>Returns the snapshot without <see cref="LastingHang"/> and <see cref="MayHang"/>.</summary>
    public LedgerSnapshot WithoutHang() => this with
    {
        MayHang = null,
        Episodes = LastingHang is { } lasts ? Episodes.Remove(lasts) : Episodes,
    };
}

/// <summary>The newest <paramref name="capacity"/> injection delays of one kind, ordered by number.</summary>
sealed class NumberedDelays(int capacity)
{
    readonly Recent<InjectionDelay> delays = new(capacity);

    /// <summary>Adds a delay whose number is the highest so far. Returns the oldest delay if that was removed, else null.</summary>
    public InjectionDelay? Add(InjectionDelay delay)
    {
        var oldest = delays.IsFull ? delays[0] : null;
        delays.Add(delay);
        return oldest;
    }

    /// <summary>Replaces the kept delay that has the number of <paramref name="delay"/>, if there is one.</summary>
    public void Replace(InjectionDelay delay)
    {
        for (var i = delays.Count - 1; i >= 0 && delays[i].Number >= delay.Number; i--)
        {
            if (delays[i].Number == delay.Number)
            {
                delays[i] = delay;
            }
        }
    }

    /// <summary>Returns the delays that ended since a given time, newest first.</summary>
    public IEnumerable<InjectionDelay> Since(EventTime at)
    {
        for (var i = delays.Count - 1; i >= 0 && delays[i].End >= at; i--)
        {
            yield return delays[i];
        }
    }

    /// <summary>Returns the delays of both collections ordered by number, followed by the open delay if there is one.</summary>
    public InjectionDelay[] MergedWith(NumberedDelays other, InjectionDelay? open)
    {
        var closed = delays.Count + other.delays.Count;
        var merged = new InjectionDelay[closed + (open is null ? 0 : 1)];
        if (open is not null)
        {
            merged[^1] = open;
        }

        var (mine, theirs) = (0, 0);
        for (var i = 0; i < closed; i++)
        {
            var takesMine = theirs == other.delays.Count || (mine < delays.Count && delays[mine].Number < other.delays[theirs].Number);
            merged[i] = takesMine ? delays[mine++] : other.delays[theirs++];
        }

        return merged;
    }
}
