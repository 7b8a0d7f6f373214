namespace Tpwatch.Serve;

/// <summary>Lengths in fixed classes, as a histogram of Prometheus has them; immutable.</summary>
/// <param name="Counts">How many fell into each class, the last being all that is longer than the largest bound.</param>
/// <param name="SumSeconds">Their sum.</param>
sealed record DelayHistogram(ImmutableArray<long> Counts, double SumSeconds)
{
    /// <summary>
    /// Upper bounds, seconds: a step of task waits takes 25 to 250 ms, a tick of the gate 0.5 or 1 s, and what is longer is trouble.
    /// </summary>
    public static readonly ImmutableArray<double> Bounds = [0.025, 0.1, 0.25, 0.55, 1.05, 2, 5, 15, 60];

    public static DelayHistogram Empty { get; } = new([.. new long[Bounds.Length + 1]], 0);
    public long Count => Counts.Sum();

    public DelayHistogram With(double seconds)
    {
        var at = 0;
        while (at < Bounds.Length && seconds > Bounds[at])
        {
            at++;
        }

        return new(Counts.SetItem(at, Counts[at] + 1), SumSeconds + seconds);
    }
}
