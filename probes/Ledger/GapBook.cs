using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Keeps the gaps with their numbers, within bounds; a gap that was judged again keeps its number and place.</summary>
sealed class GapBook
{
    /// <summary>A day of one injection a minute, or forty minutes of four a second.</summary>
    const int Capacity = 10_000;

    /// <summary>What a reader of lines may have missed between two looks.</summary>
    const int JournalCapacity = 1_000;

    readonly List<Gap> gaps = [];
    readonly List<Gap> journal = [];
    GapTally forgotten = GapTally.Of([]);
    int evicted;
    int issued;

    public int NextNumber() => ++issued;

    /// <summary>The number that the next gap will get.</summary>
    public int PeekNumber() => issued + 1;

    /// <summary>Adds a gap as it was judged when it closed, or replaces one that is still kept after more was learned about it.</summary>
    public void Put(Gap gap)
    {
        if (gap.Number <= evicted + gaps.Count)
        {
            Replace(gap);
            return;
        }

        gaps.Add(gap);
        journal.Add(gap);
        if (journal.Count > JournalCapacity)
        {
            journal.RemoveRange(0, JournalCapacity / 10);
        }

        if (gaps.Count > Capacity)
        {
            Evict();
        }
    }

    /// <summary>The kept gaps that ended since a moment, newest first; few, since gaps end in order of time.</summary>
    public IEnumerable<Gap> Since(EventTime at)
    {
        for (var i = gaps.Count - 1; i >= 0 && gaps[i].End >= at; i--)
        {
            yield return gaps[i];
        }
    }

    /// <summary>A gap that is still kept, by its number; null otherwise.</summary>
    public Gap? Find(int number) => number > evicted && number <= evicted + gaps.Count ? gaps[number - evicted - 1] : null;

    void Replace(Gap gap)
    {
        var index = gap.Number - evicted - 1;
        if (index >= 0 && index < gaps.Count)
        {
            gaps[index] = gap;
        }
    }

    public LedgerSnapshot Snapshot(Gap? open)
    {
        ImmutableArray<Gap> kept = open is null ? [.. gaps] : [.. gaps, open];
        return new() { Gaps = kept, Journal = [.. journal], Evicted = evicted, Tally = forgotten.Plus(GapTally.Of(kept)) };
    }

    void Evict()
    {
        forgotten = forgotten.Plus(GapTally.Of([gaps[0]]));
        gaps.RemoveAt(0);
        evicted++;
    }
}

/// <summary>The ledger at one moment; immutable.</summary>
sealed record LedgerSnapshot
{
    public required ImmutableArray<Gap> Gaps { get; init; }

    public required ImmutableArray<Gap> Journal { get; init; }

    public required long Evicted { get; init; }

    public required GapTally Tally { get; init; }

    public ImmutableSortedDictionary<AdjustmentReason, int> Adjustments { get; init; } =
        ImmutableSortedDictionary<AdjustmentReason, int>.Empty;

    public ImmutableArray<StarvedEpisode> Episodes { get; init; } = [];

    public int? MaxWorkers { get; init; }

    public long? MaxBacklog { get; init; }

    public int DroppedEpisodes { get; init; }

    public double DroppedMs { get; init; }
}
