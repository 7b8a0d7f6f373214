using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>Saves a report in one of its formats, or the buffered events, in the working directory.</summary>
sealed class SaveSheet : Sheet
{
    readonly ScreenModel model;
    readonly RowTable<SaveFormat> formats;
    readonly TextField name;

    /// <param name="looks">The looks of the moment.</param>
    /// <param name="model">What is shown.</param>
    public SaveSheet(Func<Looks> looks, ScreenModel model)
        : base(looks(), "save in this folder: enter saves, esc closes", 70)
    {
        this.model = model;
        formats = new(looks, Columns) { Height = Dim.Fill(2), CanFocus = true };
        formats.Opened += _ => Save();
        var label = new DrawingView(looks, pane => pane.Put(1, 0, "name:", Role.KeyName)) { Y = Pos.AnchorEnd(2), Width = 7, Height = 1 };
        name = new LineField(Save);
        (name.X, name.Y) = (7, Pos.AnchorEnd(2));
        var hint = new DrawingView(looks, pane => pane.Put(1, 0, "tab: to the name; empty, it is made of process and time", Role.Faint))
        {
            Y = Pos.AnchorEnd(1), Width = Dim.Fill(), Height = 1,
        };
        Add(formats, label, name, hint);
        Initialized += (_, _) => formats.SetFocus();
    }

    protected override View Rows => formats;

    protected override void Fill() => formats.Fill(SaveFormat.All, formats.Row ?? SaveFormat.All[0]);

    void Save()
    {
        if (formats.Row is { } format)
        {
            var file = name.Text.Trim();
            Close();
            model.Do(new Wish(UiAction.Save) { Save = new(format.Document, file.Length == 0 ? null : file) });
        }
    }

    static IEnumerable<TableColumn<SaveFormat>> Columns() =>
    [
        new("format", 16, 10, f => f.Ending) { Role = _ => Role.KeyName },
        new("what it is", 0, 9, f => f.Says),
    ];
}
