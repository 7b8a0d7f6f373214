namespace Tpwatch.Screen.State;

/// <summary>The time scales of the columns. With each scale, the tick labels, one every twelve columns, are round.</summary>
static class Zoom
{
    /// <summary>The scales, milliseconds per column; each is a multiple of the length of a bucket.</summary>
    static readonly int[] Steps = [50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

    /// <summary>Default scale, milliseconds per column: about 15 seconds fit on one screen.</summary>
    public const int Default = 250;

    /// <summary>
    /// Largest scale, milliseconds per column, at which each gate check has a column of its own and the lanes of gate checks appear.
    /// </summary>
    public const int ChecksVisible = 100;

    /// <summary>Returns the finest scale at which a span of time fits into <paramref name="columns"/> columns.</summary>
    public static int Fitting(double milliseconds, int columns) =>
        Steps.FirstOrDefault(s => milliseconds <= (double)s * columns, Steps[^1]);

    public static int In(int scaleMs) => Steps.LastOrDefault(s => s < scaleMs, Steps[0]);

    public static int Out(int scaleMs) => Steps.FirstOrDefault(s => s > scaleMs, Steps[^1]);
}
