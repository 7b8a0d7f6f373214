using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>A view with a cursor on a row.</summary>
interface IRowCursor
{
    /// <summary>Index of the row in display order; -1 for none.</summary>
    int Cursor { get; }
}

/// <summary>The column by which rows are sorted, and whether the order is descending.</summary>
sealed record RowOrder(string Head, bool Down);

/// <summary>
/// A table of rows, based on Terminal.Gui's table view. Keys and mouse choose a row; the wheel scrolls. Clicks on a heading sort
/// descending, then ascending, then not at all. The row under the cursor has a mark, so that the row is recognizable without colours.
/// </summary>
sealed class RowTable<T> : TableView, ITableSource, IRowCursor
    where T : class
{
    const string Mark = ">";

    readonly Func<Looks> looks;
    readonly Func<IEnumerable<TableColumn<T>>> all;
    ImmutableArray<TableColumn<T>> columns = [];
    ImmutableArray<T> rows = [];
    ImmutableArray<T> shown = [];
    RowOrder? order;
    bool filling;

    /// <param name="all">Gets all columns; the table shows those that fit.</param>
    public RowTable(Func<Looks> looks, Func<IEnumerable<TableColumn<T>>> all)
    {
        (this.looks, this.all) = (looks, all);
        (Width, CanFocus, FullRowSelect, MultiSelect, CollectionNavigator) = (Dim.Fill(), false, true, false, null!);
        Style.ShowHorizontalHeaderOverline = false;
        Style.ShowHorizontalHeaderUnderline = false;
        Style.ShowVerticalCellLines = false;
        Style.ShowVerticalHeaderLines = false;
        Style.AlwaysShowHeaders = true;
        Style.ExpandLastColumn = true;
        ViewportSettings |= ViewportSettingsFlags.HasVerticalScrollBar;
        // By default, the wheel would move the table's cursor and with the cursor the selection; here the wheel only scrolls.
        AddCommand(Command.ScrollUp, () => ScrollVertical(-1));
        AddCommand(Command.ScrollDown, () => ScrollVertical(1));
        MouseBindings.ReplaceCommands(MouseFlags.WheeledUp, Command.ScrollUp);
        MouseBindings.ReplaceCommands(MouseFlags.WheeledDown, Command.ScrollDown);
        ValueChanged += (_, _) => Choose();
        Accepting += (_, e) =>
        {
            // If not handled here, the accept command would also reach the dialog around the table, and close the dialog.
            e.Handled = true;
            Open();
        };
    }

    /// <summary>Raised when the user moves the cursor to another row, by key or mouse.</summary>
    public event Action<T>? Chosen;

    /// <summary>Raised when the user opens a row: by a double click, or by Enter where the table has the focus.</summary>
    public event Action<T>? Opened;

    /// <summary>Whether the table has a cursor; without a cursor the user can only read the table.</summary>
    public bool HasCursor { get; init; } = true;

    /// <summary>The row under the cursor; null for none.</summary>
    public T? Row => Cursor is >= 0 and var at && at < shown.Length ? shown[at] : null;

    int ITableSource.Rows => shown.Length;
    int ITableSource.Columns => columns.Length + 1;

    string[] ITableSource.ColumnNames => [" ", .. columns.Select(c => c.Head == order?.Head ? Sorted(c) : TextOf(c.Head, c.Width))];

    object ITableSource.this[int row, int col] => col == 0 ? HasCursor && row == Cursor ? Mark : " "
        : columns[col - 1].Fitting(shown[row]) is { Length: > 0 } text ? Shown(text) : " ";

    public new int Cursor => Value?.SelectedCell.Y ?? -1;

    /// <summary>Replaces the rows.</summary>
    /// <param name="fresh">The rows, in the order that applies without sorting.</param>
    /// <param name="chosen">The row to put under the cursor; null for none.</param>
    public void Fill(ImmutableArray<T> fresh, T? chosen)
    {
        filling = true;
        rows = fresh;
        Restyle();
        Sort();
        Table ??= this;
        var at = chosen is null ? -1 : shown.IndexOf(chosen);
        var (top, moves) = (Viewport.Y, at != Cursor && shown.Length > 0);
        if (moves)
        {
            SetSelection(0, Math.Max(0, at), false);
        }

        Update();
        if (!moves)
        {
            // Rows that the user scrolled to with the wheel stay in view, although the cursor is elsewhere.
            Viewport = Viewport with { Y = Math.Clamp(top, 0, Math.Max(0, shown.Length + 1 - Viewport.Height)) };
        }

        filling = false;
    }

    /// <summary>Sorts by the next of the given columns; after the last column, restores the order without sorting.</summary>
    public void SortByNext(params string[] heads)
    {
        var next = order is { } now ? Array.IndexOf(heads, now.Head) + 1 : 0;
        SortBy(next < heads.Length ? new(heads[next], true) : null);
    }

    protected override bool OnMouseEvent(Mouse mouse)
    {
        if ((mouse.Flags & Clicks.Any) != 0 && mouse.Position is { } at)
        {
            ScreenToCell(at.X, at.Y, out var head);
            if (head is > 0 and { } column && column <= columns.Length)
            {
                var name = columns[column - 1].Head;
                SortBy(order is { } now && now.Head == name ? now.Down ? new(name, false) : null : new(name, true));
                return true;
            }
        }

        return base.OnMouseEvent(mouse);
    }

    void SortBy(RowOrder? next)
    {
        order = next;
        var kept = Row;
        filling = true;
        Restyle();
        Sort();
        SetSelection(0, Math.Max(0, kept is null ? 0 : shown.IndexOf(kept)), false);
        Update();
        filling = false;
        Resorted?.Invoke();
    }

    /// <summary>Raised when the order of the rows has changed.</summary>
    public event Action? Resorted;

    /// <summary>The first row in display order; null without rows.</summary>
    public T? First => shown.IsEmpty ? null : shown[0];

    void Sort() => shown = order is not { } by || columns.FirstOrDefault(c => c.Head == by.Head) is not { } column ? rows
        : column.Rank is { } rank
            ? [.. rows.OrderBy(r => double.IsNaN(rank(r))).ThenBy(r => by.Down ? -rank(r) : rank(r))]
            : by.Down ? [.. rows.OrderByDescending(column.Text, StringComparer.Ordinal)]
            : [.. rows.OrderBy(column.Text, StringComparer.Ordinal)];

    void Choose()
    {
        if (!filling && Row is { } row)
        {
            Chosen?.Invoke(row);
        }
    }

    void Open()
    {
        if (Row is { } row)
        {
            Opened?.Invoke(row);
        }
    }

    // Replaces wide and combining runes, which would shift the rest of the row.
    string Shown(string text) => string.Concat(text.EnumerateRunes().Select(r => looks().Look.Glyphs.Show(r).ToString()));

    string Sorted(TableColumn<T> column) => TextOf(column.Head, Math.Max(0, column.Width - 2)).TrimEnd() + (order!.Down ? " v" : " ^");

    static string TextOf(string text, int width) => text.Length <= width ? text : text[..width];

    // Sets the column widths and cell colours that Terminal.Gui uses.
    void Restyle()
    {
        var next = TableColumn<T>.Fit(all(), Viewport.Width - 2);
        var same = next.Select(c => (c.Head, c.Width)).SequenceEqual(columns.Select(c => (c.Head, c.Width)));
        columns = next;
        if (same && Style.ColumnStyles.Count > 0 && Style.HeaderScheme == looks()[Role.Faint])
        {
            return;
        }

        Style.HeaderScheme = looks()[Role.Faint];
        SetScheme(looks().Of(Role.Text, HasCursor));
        Style.ColumnStyles.Clear();
        Style.ColumnStyles[0] = new() { MinWidth = 1, MaxWidth = 1, MinAcceptableWidth = 1 };
        for (var i = 0; i < columns.Length; i++)
        {
            var (at, width) = (i, columns[i].Width);
            Style.ColumnStyles[i + 1] = new()
            {
                Alignment = columns[i].Right ? Alignment.End : Alignment.Start, MinWidth = width, MaxWidth = width, MinAcceptableWidth = 1,
                ColorGetter = cell => cell.RowIndex >= 0 && cell.RowIndex < shown.Length && at < columns.Length
                    ? looks().Of(columns[at].Role(shown[cell.RowIndex]), HasCursor) : null,
            };
        }
    }
}

/// <summary>One column of a table.</summary>
/// <param name="Width">Width in screen columns; 0 takes the rest of the table's width.</param>
/// <param name="Keep">Priority in a narrow table; the column with the smallest value is left out first.</param>
/// <param name="Text">Gets the text of a row; a text longer than the width is cut.</param>
sealed record TableColumn<T>(string Head, int Width, int Keep, Func<T, string> Text)
{
    /// <summary>Whether the text is aligned right, as for numbers.</summary>
    public bool Right { get; init; }

    /// <summary>The role of a row's text, which decides the colours; the row under the cursor is reversed as a whole.</summary>
    public Func<T, Role> Role { get; init; } = _ => Tpwatch.Text.Role.Text;

    /// <summary>Whether a row's text is a sentence, which is cut between words if too long; other texts are cut at any character.</summary>
    public Func<T, bool> IsProse { get; init; } = _ => false;

    /// <summary>Gets a shorter text of a row, used where the whole text does not fit; null cuts the whole text.</summary>
    public Func<T, string>? Brief { get; init; }

    /// <summary>Gets the sort key of a row, for numbers and times; null sorts by the text. NaN means unknown and comes last.</summary>
    public Func<T, double>? Rank { get; init; }

    /// <summary>Returns the text of a row, shortened to the width of the column.</summary>
    public string Fitting(T row)
    {
        var text = Text(row) is var whole && whole.Length > Width && Brief is { } brief ? brief(row) : whole;
        return IsProse(row) ? TextFit.Whole(text, Width) : TextFit.Cut(text, Width);
    }

    const int Between = 1;

    /// <summary>Minimum width of a column without a fixed width.</summary>
    const int LeastFree = 20;

    /// <summary>
    /// Returns the columns that fit into a width; the columns with the smallest <see cref="Keep"/> are left out. A column without a fixed
    /// width takes the rest of the width.
    /// </summary>
    public static ImmutableArray<TableColumn<T>> Fit(IEnumerable<TableColumn<T>> all, int width)
    {
        var columns = all.ToList();
        while (columns.Count > 1 && Taken(columns, LeastFree) > width)
        {
            columns.Remove(columns.MinBy(c => c.Keep)!);
        }

        return [.. columns.Select(c => c.Width > 0 ? c : c with { Width = Math.Max(1, width - Taken(columns, 0)) })];
    }

    static int Taken(List<TableColumn<T>> columns, int free) => columns.Sum(c => (c.Width > 0 ? c.Width : free) + Between);
}

/// <summary>Clicks of the left mouse button.</summary>
static class Clicks
{
    /// <summary>
    /// Flags of the first, second and third click of a quick series. Each of them acts as a single click, because Terminal.Gui counts quick
    /// clicks at different places as one series.
    /// </summary>
    public const MouseFlags Any = MouseFlags.LeftButtonClicked | MouseFlags.LeftButtonDoubleClicked | MouseFlags.LeftButtonTripleClicked;
}
