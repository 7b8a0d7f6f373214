using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>Draws sparse question marks at the foot of a lane, where the value of the lane is not known.</summary>
static class UnknownMarks
{
    /// <summary>Number of columns from one mark of an unknown interval to the next mark.</summary>
    const int Every = 4;

    /// <summary>
    /// Age below which a missing value is not marked, milliseconds: a counter sample comes once a second and may be a second late.
    /// </summary>
    const double OnItsWayMs = 2200;

    public static void Draw(Pane plot, Fold fold, Func<Column, bool> isKnown)
    {
        var wasUnknown = false;
        for (var x = 0; x < End(fold, isKnown); x++)
        {
            var unknown = fold.Columns[x] is { Seen: true, Lost: false } column && !isKnown(column);
            if (unknown && (!wasUnknown || (fold.First + x) % Every == 0))
            {
                plot.Put(x, plot.Height - 1, '?', Role.Faint);
            }

            wasUnknown = unknown;
        }
    }

    static int End(Fold fold, Func<Column, bool> isKnown)
    {
        var newest = fold.Columns.Length;
        while (newest > 0 && !(fold.Columns[newest - 1].Seen && isKnown(fold.Columns[newest - 1])))
        {
            newest--;
        }

        return newest > 0 && (fold.Columns.Length - newest) * fold.ColumnMs <= OnItsWayMs ? newest : fold.Columns.Length;
    }
}
