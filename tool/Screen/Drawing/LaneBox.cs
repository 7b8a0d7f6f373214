using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// One lane: its name and row labels at the left, the plot, and notes at the right. The widths of the gutters are fixed, so that all lanes
/// share one time axis.
/// </summary>
sealed class LaneBox
{
    /// <summary>Number of columns right of the plot, including the border of the plot.</summary>
    public const int RightGutter = 12;

    /// <summary>Number of columns of a note.</summary>
    public const int NoteColumns = RightGutter - 2;

    const int WideScreen = 100;

    readonly Pane pane;
    readonly string name;
    readonly int left;

    public LaneBox(Pane pane, string name)
    {
        (this.pane, this.name) = (pane, name);
        left = LeftGutter(pane.Width);
        Plot = pane.Columns(left + 1, PlotColumns(pane.Width));
        pane.Put(0, 0, name);
        for (var row = 0; row < pane.Height; row++)
        {
            pane.Put(left, row, pane.Glyphs.Side, Role.Faint);
            pane.Put(left + 1 + Plot.Width, row, pane.Glyphs.Side, Role.Faint);
        }
    }

    public Pane Plot { get; }

    /// <summary>Returns the number of columns of the plot on a screen of the given width.</summary>
    public static int PlotColumns(int width) => Math.Max(0, width - LeftGutter(width) - 1 - RightGutter);

    public void Label(int row, string text) => pane.PutEndingAt(left, row, text, Role.Faint);

    /// <summary>
    /// Writes the top value and the foot value of the lane, if the lane has a row for each. A label between the two would be read as the
    /// value of the area next to that label: a low processor use as 50 %.
    /// </summary>
    public void Ends(string top, string foot)
    {
        Scale(top);
        if (pane.Height > 1)
        {
            Label(pane.Height - 1, foot);
        }
    }

    /// <summary>Writes the value at the top of the lane, unless the value would touch the name.</summary>
    public void Scale(string text)
    {
        if (name.Length + 1 + text.Length <= left || pane.Height == 0)
        {
            Label(0, text);
        }
    }

    public void Note(int row, string text, Role role = Role.Text) =>
        pane.Put(left + 3 + Plot.Width, row, TextFit.Cut(text, NoteColumns), role);

    /// <summary>Hatches the columns in which events were lost, because no lane may draw values there as if the values were known.</summary>
    public void Hatch(Fold fold)
    {
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            for (var row = 0; row < Plot.Height && fold.Columns[x].Lost; row++)
            {
                Plot.Put(x, row, (fold.First + x + row) % 2 == 0 ? 'x' : ' ', Role.Lost);
            }
        }
    }

    static int LeftGutter(int width) => width >= WideScreen ? 11 : 10;
}
