namespace Tpwatch.Sessions;

/// <summary>Works out when the coarse clock changes, from moments at which it was seen changing.</summary>
static class EdgeSample
{
    /// <summary>A change seen between two readings farther apart than this says too little, milliseconds.</summary>
    public const double SharpMs = 0.02;

    // The true edge is the earliest that was seen: an interrupt can only be late. But a few are late by milliseconds, and in the
    // idle regime the clock also changes between edges; so only those near the median count.
    const double NearMedianMs = 0.15;

    /// <summary>The edge modulo step, from edges modulo step; null without any. All in milliseconds.</summary>
    public static double? Edge(IReadOnlyCollection<double> seen, double stepMs)
    {
        if (seen.Count == 0)
        {
            return null;
        }

        // Edges near 0 and near the step are neighbours: turn them all so that one of them lies in the middle.
        var turn = (stepMs / 2) - seen.First();
        double[] turned = [.. seen.Select(s => Modulo(s + turn, stepMs)).Order()];
        var median = turned[turned.Length / 2];
        return Modulo(turned.First(t => median - t <= NearMedianMs) - turn, stepMs);
    }

    /// <summary>Never negative.</summary>
    public static double Modulo(double value, double step) => value - (step * Math.Floor(value / step));
}
