namespace Tpwatch.Screen.State;

/// <summary>The value ranges of the lanes.</summary>
/// <param name="ThreadsMin">Fewest threads, of worker threads and target thread count.</param>
/// <param name="ThreadsMax">Most threads; below <paramref name="ThreadsMin"/> when nothing is known.</param>
/// <param name="QueueLength">Largest queue length.</param>
/// <param name="Done">Most completed items per second.</param>
sealed record LaneRanges(int ThreadsMin, int ThreadsMax, double QueueLength, double Done)
{
    const int MuchTooLarge = 4;

    /// <summary>Threads: hill climbing constantly changes a healthy pool by one thread up and down.</summary>
    const int AsGoodAsFlat = 1;

    public static LaneRanges Empty { get; } = new(int.MaxValue, -1, 0, 0);

    /// <summary>Whether the thread count changes by at most one thread, or is not known.</summary>
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

    /// <summary>Ranges that cover both this one and another.</summary>
    public LaneRanges And(LaneRanges other) => new(
        Math.Min(ThreadsMin, other.ThreadsMin), Math.Max(ThreadsMax, other.ThreadsMax),
        Math.Max(QueueLength, other.QueueLength), Math.Max(Done, other.Done));

    /// <summary>
    /// The ranges to keep from now on. They grow with the needed values, so that the picture does not jump. A range of which at most a
    /// quarter is needed, because its peak has left the screen, shows too little and shrinks to the needed one.
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
