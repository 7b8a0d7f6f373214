namespace Tpwatch.Screen.State;

/// <summary>The value ranges of the lanes.</summary>
/// <param name="ThreadsMin">Smallest number of worker threads or target thread count.</param>
/// <param name="ThreadsMax">Largest number of worker threads or target thread count; below the minimum when nothing is known.</param>
/// <param name="QueueLength">Largest queue length.</param>
/// <param name="Done">Largest number of completed items per second.</param>
sealed record LaneRanges(int ThreadsMin, int ThreadsMax, double QueueLength, double Done)
{
    const int MuchTooLarge = 4;

    /// <summary>Maximum range of a flat lane, threads: hill climbing constantly moves a healthy pool by one thread.</summary>
    const int AsGoodAsFlat = 1;

    public static LaneRanges Empty { get; } = new(int.MaxValue, -1, 0, 0);

    /// <summary>Whether the number of threads varies by no more than one, or is not known.</summary>
    public bool FlatThreads => ThreadsMax - (long)ThreadsMin <= AsGoodAsFlat;

    public static LaneRanges Of(Fold fold)
    {
        var ranges = Empty;
        foreach (var column in fold.Columns)
        {
            var workers = column.Workers;
            ranges = ranges.Threads(workers.Min).Threads(workers.Max).Threads(column.TargetThreads) with
            {
                QueueLength = Math.Max(ranges.QueueLength, column.QueueLength),
                Done = double.IsNaN(column.Done) ? ranges.Done : Math.Max(ranges.Done, column.Done),
            };
        }

        return ranges;
    }

    /// <summary>Returns ranges that cover both these ranges and <paramref name="other"/>.</summary>
    public LaneRanges And(LaneRanges other) => new(
        Math.Min(ThreadsMin, other.ThreadsMin), Math.Max(ThreadsMax, other.ThreadsMax),
        Math.Max(QueueLength, other.QueueLength), Math.Max(Done, other.Done));

    /// <summary>
    /// Returns the ranges to keep from now on. A range grows with the needed values and rarely shrinks, so that the picture does not jump.
    /// If a quarter or less of a range is needed, because the peak has left the screen, the range shrinks to the needed one.
    /// </summary>
    public LaneRanges Follow(LaneRanges needed)
    {
        var both = And(needed);
        var threads = needed.ThreadsMax >= 0 && needed.Threads() * MuchTooLarge <= both.Threads() ? needed : both;
        return new(
            threads.ThreadsMin, threads.ThreadsMax,
            needed.QueueLength * MuchTooLarge <= both.QueueLength ? needed.QueueLength : both.QueueLength,
            needed.Done * MuchTooLarge <= both.Done ? needed.Done : both.Done);
    }

    long Threads() => ThreadsMax - (long)ThreadsMin + 1;

    LaneRanges Threads(int value) => value < 0
        ? this
        : this with { ThreadsMin = Math.Min(ThreadsMin, value), ThreadsMax = Math.Max(ThreadsMax, value) };
}
