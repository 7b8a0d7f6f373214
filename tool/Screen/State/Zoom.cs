namespace Tpwatch.Screen.State;

/// <summary>How much time a column stands for: only values that give round ticks every twelve columns.</summary>
static class Zoom
{
    /// <summary>Milliseconds a column, whole multiples of a bucket.</summary>
    static readonly int[] Steps = [50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

    /// <summary>A burst of a quarter of a minute on one screen.</summary>
    public const int Default = 250;

    /// <summary>Up to here a gate tick has a column of its own, and the lanes that show them appear.</summary>
    public const int TicksVisible = 100;

    /// <summary>The finest scale at which a stretch takes at most so many columns.</summary>
    public static int Fitting(double milliseconds, int columns) =>
        Steps.FirstOrDefault(s => milliseconds <= (double)s * columns, Steps[^1]);

    public static int In(int scaleMs) => Steps.LastOrDefault(s => s < scaleMs, Steps[0]);

    public static int Out(int scaleMs) => Steps.FirstOrDefault(s => s > scaleMs, Steps[^1]);
}
