using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

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
    public Func<T, Role> Role { get; init; } = _ => Tpwatch.Text.Role.Text;

    /// <summary>Whether a text that is too long ends with a whole word, as a sentence does; a path tells more by its letters.</summary>
    public Func<T, bool> IsProse { get; init; } = _ => false;

    /// <summary>What a row says instead where the text does not fit; null where it is cut.</summary>
    public Func<T, string>? Brief { get; init; }

    /// <summary>By what a row is sorted in it, numbers and times; null sorts by the text. NaN is not known and comes last.</summary>
    public Func<T, double>? Rank { get; init; }

    /// <summary>What the column shows of a row.</summary>
    public string Fitting(T row)
    {
        var text = Text(row) is var whole && whole.Length > Width && Brief is { } brief ? brief(row) : whole;
        return IsProse(row) ? TextFit.Whole(text, Width) : TextFit.Cut(text, Width);
    }

    /// <summary>Between two columns.</summary>
    const int Between = 1;

    /// <summary>A column that takes what is left is of use from here on.</summary>
    const int LeastFree = 20;

    /// <summary>The columns that fit into a width, the least needed left out; one without a width takes what the others leave.</summary>
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
