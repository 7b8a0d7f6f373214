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

/// <summary>Gaps of one kind in order of their numbers, the newest so many.</summary>
sealed class GapShelf(int capacity)
{
    readonly Recent<Gap> gaps = new(capacity);

    /// <summary>Adds one whose number is the highest so far; the oldest when that had to go.</summary>
    public Gap? Add(Gap gap)
    {
        var oldest = gaps.IsFull ? gaps[0] : null;
        gaps.Add(gap);
        return oldest;
    }

    /// <summary>Puts a gap in the place of that with the same number, if it is still kept.</summary>
    public void Replace(Gap gap)
    {
        if (IndexOf(gap.Number) is >= 0 and var index)
        {
            gaps[index] = gap;
        }
    }

    /// <summary>The gap of a number, if it is still kept.</summary>
    public Gap? Find(int number) => IndexOf(number) is >= 0 and var index ? gaps[index] : null;

    /// <summary>Those that ended since a moment, newest first.</summary>
    public IEnumerable<Gap> Since(EventTime at)
    {
        for (var i = gaps.Count - 1; i >= 0 && gaps[i].End >= at; i--)
        {
            yield return gaps[i];
        }
    }

    /// <summary>Those of two shelves in order of their numbers, and the one that is open, if one is.</summary>
    public Gap[] MergedWith(GapShelf other, Gap? open)
    {
        var closed = gaps.Count + other.gaps.Count;
        var merged = new Gap[closed + (open is null ? 0 : 1)];
        if (open is not null)
        {
            merged[^1] = open;
        }

        var (mine, theirs) = (0, 0);
        for (var i = 0; i < closed; i++)
        {
            var takesMine = theirs == other.gaps.Count || (mine < gaps.Count && gaps[mine].Number < other.gaps[theirs].Number);
            merged[i] = takesMine ? gaps[mine++] : other.gaps[theirs++];
        }

        return merged;
    }

    int IndexOf(int number)
    {
        var (low, high) = (0, gaps.Count - 1);
        while (low <= high)
        {
            var middle = (low + high) / 2;
            switch (gaps[middle].Number.CompareTo(number))
            {
                case 0: return middle;
                case < 0: low = middle + 1; break;
                default: high = middle - 1; break;
            }
        }

        return -1;
    }
}
