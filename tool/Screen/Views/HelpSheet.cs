using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>All keys and marks; what is typed searches both, Enter does what the key does.</summary>
sealed class HelpSheet : Sheet
{
    readonly ViewName view;
    readonly TextField search;
    readonly RowTable<Binding> keys;
    readonly TextPane marks;
    readonly Func<Looks> looks;

    /// <param name="looks">The looks of the moment.</param>
    /// <param name="view">The view that is shown; its keys come first, those of others are faint.</param>
    /// <param name="act">Does an action.</param>
    public HelpSheet(Func<Looks> looks, ViewName view, Action<UiAction> act)
        : base(looks(), "help: type to search, enter does it, esc closes", 90)
    {
        (this.looks, this.view) = (looks, view);
        search = new LineField(() => Do(keys?.Row, act));
        keys = new(looks, Columns) { Y = 1, Height = Dim.Percent(55) };
        marks = new(looks) { Y = Pos.Bottom(keys) };
        search.TextChanged += (_, _) => Fill();
        keys.Opened += row => Do(row, act);
        Add(search, keys, marks);
        Initialized += (_, _) => search.SetFocus();
    }

    protected override View Rows => keys;

    void Do(Binding? row, Action<UiAction> act)
    {
        if (row is not null)
        {
            Close();
            if (row.Keys[0].Action != UiAction.Help)
            {
                act(row.Keys[0].Action);
            }
        }
    }

    // What is of use here comes first, on a small screen before the rest is scrolled to.
    protected override void Fill()
    {
        var text = search.Text;
        ImmutableArray<Binding> rows =
        [
            .. Bindings.All.Where(b => $"{b.Show} {b.Help}".Contains(text, StringComparison.OrdinalIgnoreCase))
                .OrderByDescending(b => b.On.Has(view)).ThenByDescending(b => b.IsHintedOn(view)),
        ];
        keys.Fill(rows, keys.Row is { } row && rows.Contains(row) ? row : rows.FirstOrDefault());
        marks.Fill(text, width => MarkLegend.Lines(looks().Look.Glyphs, width, text));
    }

    IEnumerable<TableColumn<Binding>> Columns() =>
    [
        new("keys", 8, 9, b => b.Show) { Role = b => b.On.Has(view) ? Role.KeyName : Role.Faint },
        new("what they do", 32, 8, b => b.Help) { Role = b => b.On.Has(view) ? Role.Text : Role.Faint },
        new("where", 0, 1, b => b.On == ViewSet.Everywhere ? "" : $"in {Where(b.On)}") { Role = _ => Role.Faint },
    ];

    static string Where(ViewSet on) =>
        string.Join(", ", Enum.GetValues<ViewName>().Where(v => on.Has(v)).Select(v => FormattableString.Invariant($"{(int)v + 1} {v}")));
}
