using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// One lane: its name and the labels of its rows at the left, the plot, and notes at the right.
/// Gutters are fixed, so that all lanes share an axis.
/// </summary>
sealed class LaneBox
{
    /// <summary>Columns right of the plot, the side included.</summary>
    public const int RightGutter = 12;

    /// <summary>Columns of a note.</summary>
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

    /// <summary>Columns of time on a screen of that width.</summary>
    public static int PlotColumns(int width) => Math.Max(0, width - LeftGutter(width) - 1 - RightGutter);

    public void Label(int row, string text) => pane.PutEndingAt(left, row, text, Role.Faint);

    /// <summary>
    /// The values at the top of the lane and at its foot, where it has a row for each. A label between them would be taken for the value of
    /// what stands beside it: little use of the processors for half of them.
    /// </summary>
    public void Ends(string top, string foot)
    {
        Scale(top);
        if (pane.Height > 1)
        {
            Label(pane.Height - 1, foot);
        }
    }

    /// <summary>The value at the top of the lane, where it does not touch the name.</summary>
    public void Scale(string text)
    {
        if (name.Length + 1 + text.Length <= left || pane.Height == 0)
        {
            Label(0, text);
        }
    }

    public void Note(int row, string text, Role role = Role.Text) =>
        pane.Put(left + 3 + Plot.Width, row, TextFit.Cut(text, NoteColumns), role);

    /// <summary>What no lane may draw as if it were known: columns in which events were lost.</summary>
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
