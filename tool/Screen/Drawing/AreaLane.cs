using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// A quantity over time as a filled area. Zero is blank, any value above zero is visible, unknown is a sparse question mark.
/// </summary>
/// <param name="Ceiling">The value of a full column; 1 or more.</param>
/// <param name="Role">The role that the theme styles.</param>
/// <param name="Value">Gets the value of a column; negative or NaN means unknown.</param>
sealed record AreaLane(double Ceiling, Role Role, Func<Column, double> Value)
{
    /// <summary>
    /// Returns the smallest of 1, 2, 3, 4, 6, 8, 10, 20 … that is not below either value: few steps, with whole halves from 10 on.
    /// </summary>
    public static double Nice(double value, double least)
    {
        for (var decade = 1.0; ; decade *= 10)
        {
            foreach (var factor in (ReadOnlySpan<double>)[1, 2, 3, 4, 6, 8])
            {
                if (factor * decade >= Math.Max(value, least))
                {
                    return factor * decade;
                }
            }
        }
    }

    public void Draw(Pane plot, Fold fold)
    {
        UnknownMarks.Draw(plot, fold, column => Value(column) >= 0);
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            if (Value(fold.Columns[x]) is > 0 and var value && !fold.Columns[x].Lost)
            {
                DrawColumn(plot, x, value);
            }
        }
    }

    public void DrawColumn(Pane plot, int x, double value)
    {
        var ramp = plot.Glyphs.Ramp;
        var levels = Math.Clamp((int)Math.Round(value / Ceiling * plot.Height * ramp.Length), 1, plot.Height * ramp.Length);
        for (var row = 0; row < plot.Height && levels > 0; row++, levels -= ramp.Length)
        {
            plot.Put(x, plot.Height - 1 - row, ramp[Math.Min(levels, ramp.Length) - 1], Role);
        }
    }
}
