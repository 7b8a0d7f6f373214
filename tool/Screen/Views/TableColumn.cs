using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>One column of a table.</summary>
/// <param name="Head">The heading.</param>
/// <param name="Width">Width in screen columns; 0 takes the rest of the table's width.</param>
/// <param name="Keep">Priority in a narrow table; the column with the smallest value is left out first.</param>
/// <param name="Text">Gets the text of a row; a text longer than the width is cut.</param>
sealed record TableColumn<T>(string Head, int Width, int Keep, Func<T, string> Text)
{
    /// <summary>Whether the text is aligned right, as for numbers.</summary>
    public bool Right { get; init; }

    /// <summary>The role of a row's text, which decides the colours; the row under the cursor is reversed as a whole.</summary>
    public Func<T, Role> Role { get; init; } = _ => Tpwatch.Text.Role.Text;

    /// <summary>Whether a text that is too long is cut between words, as for sentences; a path is cut at any character.</summary>
    public Func<T, bool> IsProse { get; init; } = _ => false;

    /// <summary>Gets a shorter text of a row, used where the whole text does not fit; null cuts the whole text.</summary>
    public Func<T, string>? Brief { get; init; }

    /// <summary>The sort key of a row, for numbers and times; null sorts by the text. NaN means unknown and comes last.</summary>
    public Func<T, double>? Rank { get; init; }

    /// <summary>Returns the text of a row, shortened to the width of the column.</summary>
    public string Fitting(T row)
    {
        var text = Text(row) is var whole && whole.Length > Width && Brief is { } brief ? brief(row) : whole;
        return IsProse(row) ? TextFit.Whole(text, Width) : TextFit.Cut(text, Width);
    }

    /// <summary>Number of blanks between two columns.</summary>
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
