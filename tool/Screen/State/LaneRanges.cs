namespace Tpwatch.Screen.State;

/// <summary>Which values the lanes must be able to show.</summary>
/// <param name="ThreadsMin">Fewest workers.</param>
/// <param name="ThreadsMax">Most workers; below <paramref name="ThreadsMin"/> when nothing is known.</param>
/// <param name="Backlog">Largest backlog.</param>
/// <param name="Done">Most completions per second.</param>
sealed record LaneRanges(int ThreadsMin, int ThreadsMax, double Backlog, double Done)
{
    const int MuchTooLarge = 4;

    /// <summary>Hill climbing moves a healthy pool by one thread up and down all the time.</summary>
    const int AsGoodAsFlat = 1;

    public static LaneRanges Empty { get; } = new(int.MaxValue, -1, 0, 0);

    /// <summary>Whether the line of threads hardly moves, or there is none.</summary>
    public bool FlatThreads => ThreadsMax - (long)ThreadsMin <= AsGoodAsFlat;

    public static LaneRanges Of(Fold fold)
    {
        var ranges = Empty;
        foreach (var column in fold.Columns)
        {
            var workers = column.Workers;
            ranges = ranges.Threads(workers.Min).Threads(workers.Max).Threads(column.Goal) with
            {
                Backlog = Math.Max(ranges.Backlog, column.Backlog),
                Done = double.IsNaN(column.Done) ? ranges.Done : Math.Max(ranges.Done, column.Done),
            };
        }

        return ranges;
    }

    /// <summary>Both: what was needed and what is needed.</summary>
    public LaneRanges And(LaneRanges other) => new(
        Math.Min(ThreadsMin, other.ThreadsMin), Math.Max(ThreadsMax, other.ThreadsMax),
        Math.Max(Backlog, other.Backlog), Math.Max(Done, other.Done));

    /// <summary>
    /// The ranges to hold from now on: they grow with what is needed, so that the picture does not jump; a range of which less than a
    /// quarter has been needed since the peak left the screen shows nothing any more and is given up.
    /// </summary>
    public LaneRanges Follow(LaneRanges needed)
    {
        var both = And(needed);
        var threads = needed.ThreadsMax >= 0 && needed.Threads() * MuchTooLarge <= both.Threads() ? needed : both;
        return new(
            threads.ThreadsMin, threads.ThreadsMax,
            needed.Backlog * MuchTooLarge <= both.Backlog ? needed.Backlog : both.Backlog,
            needed.Done * MuchTooLarge <= both.Done ? needed.Done : both.Done);
    }

    long Threads() => ThreadsMax - (long)ThreadsMin + 1;

    LaneRanges Threads(int value) => value < 0
        ? this
        : this with { ThreadsMin = Math.Min(ThreadsMin, value), ThreadsMax = Math.Max(ThreadsMax, value) };
}
