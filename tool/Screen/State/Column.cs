namespace Tpwatch.Screen.State;

/// <summary>Smallest, largest and last number of worker threads in a span of time; -1 means unknown.</summary>
readonly record struct Extent(int Min, int Max, int Last)
{
    public static Extent Unknown { get; } = new(-1, -1, -1);
    public bool IsKnown => Max >= 0;

    public Extent With(int min, int max) => max < 0 ? this : !IsKnown
        ? new(min, max, max)
        : new(Math.Min(Min, min), Math.Max(Max, max), max);
}

/// <summary>The values of one screen column, merged from 50 ms buckets so that no spike is lost. -1 and NaN mean unknown.</summary>
/// <param name="Seen">Whether the capture covers the column.</param>
/// <param name="Lost">Whether events were lost in the column; the lanes then draw no value.</param>
/// <param name="Early">Numbers of worker threads in the first half of the column.</param>
/// <param name="Late">Numbers of worker threads in the second half of the column.</param>
/// <param name="TargetThreads">Target thread count at the end of the column.</param>
/// <param name="QueueLength">Largest queue length in the column.</param>
/// <param name="Done">Mean number of completed items per second.</param>
/// <param name="Cpu">Largest used share of all processors, 0 to 1.</param>
readonly record struct Column(bool Seen, bool Lost, Extent Early, Extent Late, int TargetThreads, long QueueLength, double Done, double Cpu)
{
    public static Column Nothing { get; } = new(false, false, Extent.Unknown, Extent.Unknown, -1, -1, double.NaN, double.NaN);

    /// <summary>Numbers of worker threads over the whole column.</summary>
    public Extent Workers => Late.IsKnown && Early.IsKnown
        ? new(Math.Min(Early.Min, Late.Min), Math.Max(Early.Max, Late.Max), Late.Last)
        : Late.IsKnown ? Late : Early;
}
