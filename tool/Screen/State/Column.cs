namespace Tpwatch.Screen.State;

/// <summary>Fewest, most and last workers of a stretch; -1 is unknown.</summary>
readonly record struct Extent(int Min, int Max, int Last)
{
    public static Extent Unknown { get; } = new(-1, -1, -1);
    public bool IsKnown => Max >= 0;

    public Extent With(int min, int max) => max < 0 ? this : !IsKnown
        ? new(min, max, max)
        : new(Math.Min(Min, min), Math.Max(Max, max), max);
}

/// <summary>What a column of the screen shows: buckets folded so that no spike is lost. -1 and NaN are unknown.</summary>
/// <param name="Seen">The capture covers it.</param>
/// <param name="Lost">Events were lost in it: nothing else is known.</param>
/// <param name="Early">Workers in its first half.</param>
/// <param name="Late">Workers in its second half.</param>
/// <param name="Goal">The goal at its end.</param>
/// <param name="Backlog">Largest backlog.</param>
/// <param name="Done">Mean completions per second.</param>
/// <param name="Cpu">Largest share of all processors.</param>
readonly record struct Column(bool Seen, bool Lost, Extent Early, Extent Late, int Goal, long Backlog, double Done, double Cpu)
{
    public static Column Nothing { get; } = new(false, false, Extent.Unknown, Extent.Unknown, -1, -1, double.NaN, double.NaN);

    /// <summary>Workers over the whole column.</summary>
    public Extent Workers => Late.IsKnown && Early.IsKnown
        ? new(Math.Min(Early.Min, Late.Min), Math.Max(Early.Max, Late.Max), Late.Last)
        : Late.IsKnown ? Late : Early;
}
