using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Drawing;

/// <summary>The scale of a lane of threads: maps thread counts to rows.</summary>
/// <param name="Base">Lowest value of the bottom row.</param>
/// <param name="Step">Number of thread counts per row.</param>
readonly record struct ThreadScale(int Base, int Step)
{
    /// <summary>Returns the finest scale with which all values fit into <paramref name="rows"/> rows.</summary>
    public static ThreadScale For(LaneRanges ranges, int rows)
    {
        if (ranges.ThreadsMax < 0 || rows <= 0)
        {
            return new(0, 1);
        }

        for (var decade = 1L; ; decade *= 10)
        {
            foreach (var factor in (ReadOnlySpan<long>)[1, 2, 3, 5])
            {
                var step = factor * decade;
                var low = ranges.ThreadsMin / step * step;
                if (low + rows * step > ranges.ThreadsMax || step > int.MaxValue / 10)
                {
                    return new((int)low, (int)step);
                }
            }
        }
    }

    /// <summary>Returns the finest scale that begins at zero, so that heights are proportional to values.</summary>
    public static ThreadScale FromZero(LaneRanges ranges, int rows) =>
        For(ranges.ThreadsMax < 0 ? ranges : ranges with { ThreadsMin = 0 }, rows);

    /// <summary>Returns the row of a value, counted from the bottom.</summary>
    public int RowOf(int value) => (int)Math.Floor((value - Base) / (double)Step);

    /// <summary>Returns the dot row of a value, counted from the bottom; a row of cells has four dot rows.</summary>
    public int DotOf(int value) => (int)Math.Floor((value - Base) * 4.0 / Step);

    /// <summary>Returns the lowest value of a row; rows count from the bottom.</summary>
    public int LabelOf(int row) => Base + row * Step;

    /// <summary>Returns the upper bound of a row, for labels like those of the area lanes: no value is above the topmost bound.</summary>
    public int TopOf(int row) => LabelOf(row + 1);
}
