using System.Runtime.InteropServices;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Keeps the gaps with their numbers, within bounds; a gap that was judged again keeps its number and place. Waits and moves have bounds
/// of their own: hill climbing moves the goal five times a second, and half an hour of that must not push the injections out.
/// </summary>
sealed class GapBook
{
    /// <summary>A week of one injection a minute, or forty minutes of four a second.</summary>
    const int WaitCapacity = 10_000;

    /// <summary>A quarter of an hour of five a second: as long as the timeline keeps its fine buckets.</summary>
    const int MoveCapacity = 5_000;

    /// <summary>What a reader of lines may have missed between two looks.</summary>
    const int JournalCapacity = 1_000;

    readonly GapShelf waits = new(WaitCapacity);
    readonly GapShelf moves = new(MoveCapacity);
    readonly Recent<Gap> journal = new(JournalCapacity);
    GapTally forgotten = GapTally.Of([]);
    int evicted;
    int newest;
    int issued;

    public int NextNumber() => ++issued;

    /// <summary>The number that the next gap will get.</summary>
    public int PeekNumber() => issued + 1;

    /// <summary>Adds a gap as it was judged when it closed, or replaces one that is still kept after more was learned about it.</summary>
    public void Put(Gap gap)
    {
        var shelf = gap.IsWait ? waits : moves;
        if (gap.Number <= newest)
        {
            shelf.Replace(gap);
            return;
        }

        newest = gap.Number;
        journal.Add(gap);
        if (shelf.Add(gap) is { } oldest)
        {
            forgotten = forgotten.Plus(GapTally.Of([oldest]));
            evicted++;
        }
    }

    /// <summary>The kept gaps that ended since a moment; few, since gaps end in order of time.</summary>
    public IEnumerable<Gap> Since(EventTime at) => waits.Since(at).Concat(moves.Since(at));

    /// <summary>A gap that is still kept, by its number; null otherwise.</summary>
    public Gap? Find(int number) => waits.Find(number) ?? moves.Find(number);

    public LedgerSnapshot Snapshot(Gap? open)
    {
        var kept = ImmutableCollectionsMarshal.AsImmutableArray(waits.MergedWith(moves, open));
        return new() { Gaps = kept, Journal = [.. journal], Evicted = evicted, Tally = forgotten.Plus(GapTally.Of(kept)) };
    }
}

/// <summary>The ledger at one moment; immutable.</summary>
sealed record LedgerSnapshot
{
    public required ImmutableArray<Gap> Gaps { get; init; }
    public required ImmutableArray<Gap> Journal { get; init; }
    public required long Evicted { get; init; }
    public required GapTally Tally { get; init; }
    public int? MayHang { get; init; }

    public ImmutableSortedDictionary<AdjustmentReason, int> Adjustments { get; init; } =
        ImmutableSortedDictionary<AdjustmentReason, int>.Empty;

    public int Compensations { get; init; }
    public ImmutableArray<StarvedEpisode> Episodes { get; init; } = [];
    public int? MaxWorkers { get; init; }
    public long? MaxBacklog { get; init; }
    public int DroppedEpisodes { get; init; }
    public double DroppedMs { get; init; }
}
