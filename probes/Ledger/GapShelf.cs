using Tpwatch.Reports;

namespace Tpwatch.Ledger;

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
