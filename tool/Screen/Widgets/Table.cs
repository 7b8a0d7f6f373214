using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;

namespace Tpwatch.Screen.Widgets;

/// <summary>One column of a table.</summary>
/// <param name="Head">Its name.</param>
/// <param name="Width">Columns of the screen; 0 takes what the others leave.</param>
/// <param name="Keep">The larger stays longer when the table gets narrow.</param>
/// <param name="Text">What a row says; longer ones are cut.</param>
sealed record TableColumn<T>(string Head, int Width, int Keep, Func<T, string> Text)
{
    /// <summary>Whether it ends at its right edge, as numbers do.</summary>
    public bool Right { get; init; }

    /// <summary>How a row looks in it; the row under the cursor is reversed as a whole.</summary>
    public Func<T, Role> Role { get; init; } = _ => Render.Shared.Role.Text;

    /// <summary>Whether a text that is too long ends with a whole word, as a sentence does; a path tells more by its letters.</summary>
    public Func<T, bool> IsProse { get; init; } = _ => false;

    /// <summary>What a row says instead where the text does not fit; null where it is cut.</summary>
    public Func<T, string>? Brief { get; init; }

    /// <summary>What the column shows of a row.</summary>
    public string Fitting(T row)
    {
        var text = Text(row) is var whole && whole.Length > Width && Brief is { } brief ? brief(row) : whole;
        return IsProse(row) ? TextFit.Whole(text, Width) : TextFit.Cut(text, Width);
    }
}

/// <summary>Rows under their names, with one under the cursor. The rows around the cursor are the ones that are seen.</summary>
sealed class Table<T>(Pane pane, IEnumerable<TableColumn<T>> columns)
{
    const int Between = 2;

    /// <summary>A column that takes what is left is of use from here on.</summary>
    const int LeastFree = 20;

    /// <summary>The mark of the cursor and a blank.</summary>
    const int Margin = 2;

    readonly IReadOnlyList<TableColumn<T>> columns = Fitting([.. columns], pane.Width - Margin);

    /// <summary>
    /// Draws as many rows as there is room for; which those are, such as <c>rows 3-12 of 45</c>, nothing when it is all of them.
    /// </summary>
    /// <param name="rows">All rows.</param>
    /// <param name="cursor">Index of the row under the cursor; none when outside.</param>
    public string Draw(IReadOnlyList<T> rows, int cursor)
    {
        var room = Math.Max(0, pane.Height - 1);
        var top = Math.Clamp(cursor - room / 2, 0, Math.Max(0, rows.Count - room));
        Line(0, c => TextFit.Cut(c.Head, c.Width), _ => Role.Faint);
        for (var i = 0; i < room && top + i < rows.Count; i++)
        {
            var (row, under) = (rows[top + i], top + i == cursor);
            if (under)
            {
                pane.Rows(i + 1, 1).Fill(0, ' ', Role.Selection);
                pane.Put(0, i + 1, '>', Role.Selection);
            }

            Line(i + 1, c => c.Fitting(row), c => under ? Role.Selection : c.Role(row));
        }

        return rows.Count <= room ? ""
            : FormattableString.Invariant($"  rows {top + 1}-{Math.Min(rows.Count, top + room)} of {rows.Count}");
    }

    void Line(int y, Func<TableColumn<T>, string> text, Func<TableColumn<T>, Role> role)
    {
        var x = Margin;
        foreach (var column in columns)
        {
            var words = text(column);
            pane.Put(column.Right ? x + column.Width - words.Length : x, y, words, role(column));
            x += column.Width + Between;
        }
    }

    static List<TableColumn<T>> Fitting(List<TableColumn<T>> columns, int width)
    {
        while (columns.Count > 1 && Taken(columns, LeastFree) > width)
        {
            columns.Remove(columns.MinBy(c => c.Keep)!);
        }

        return [.. columns.Select(c => c.Width > 0 ? c : c with { Width = Math.Max(0, width - Taken(columns, 0)) })];
    }

    static int Taken(List<TableColumn<T>> columns, int free) => columns.Sum(c => (c.Width > 0 ? c.Width : free) + Between) - Between;
}
