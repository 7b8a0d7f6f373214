using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>Every command by a part of its name, with its key, and why it is not possible now; commands with words are typed.</summary>
sealed class PaletteSheet : Sheet
{
    /// <summary>Longer than any command: what is pasted by mistake is cut off here.</summary>
    const int Longest = 60;

    readonly ScreenModel model;
    readonly TextField field;
    readonly RowTable<PaletteRow> table;
    readonly DrawingView below;
    readonly Action<UiAction> act;

    /// <param name="looks">The looks of the moment.</param>
    /// <param name="model">What is shown.</param>
    /// <param name="act">Does an action.</param>
    public PaletteSheet(Func<Looks> looks, ScreenModel model, Action<UiAction> act)
        : base(looks(), "command: a part of its name, or goto -12s", 80)
    {
        (this.model, this.act) = (model, act);
        field = new LineField(Enter);
        table = new(looks, Columns) { Y = 1, Height = Dim.Fill(1) };
        below = new(looks, pane => pane.Put(1, 0, Below(), Role.Faint)) { Y = Pos.AnchorEnd(1), Width = Dim.Fill(), Height = 1 };
        field.TextChanged += (_, _) =>
        {
            field.Text = field.Text.Length > Longest ? field.Text[..Longest] : field.Text;
            Fill();
        };
        table.Opened += _ => Enter();
        Add(field, table, below);
        Initialized += (_, _) => field.SetFocus();
    }

    protected override View Rows => table;

    /// <inheritdoc/>
    protected override bool OnKeyDown(Key key)
    {
        if (key == Key.Tab)
        {
            field.Text = TypedCommands.Complete(field.Text);
            field.MoveEnd();
            return true;
        }

        return base.OnKeyDown(key);
    }

    protected override void Fill()
    {
        if (model.Scene is { } scene)
        {
            var rows = Palette.Find(field.Text, scene, model.Links);
            table.Fill(rows, rows.FirstOrDefault(r => r.Name == table.Row?.Name) ?? rows.FirstOrDefault());
            below.SetNeedsDraw();
        }
    }

    // A command that was typed whole is meant as typed; else the row under the cursor is meant.
    void Enter()
    {
        var text = field.Text.Trim();
        if (TypedCommands.Names.Contains(text.Split(' ')[0])
            && (text.Contains(' ', StringComparison.Ordinal) || table.Row is not { Typed: "" }))
        {
            Close();
            model.Run(text);
        }
        else if (table.Row is { Typed.Length: > 0 } words)
        {
            field.Text = words.Typed;
            field.MoveEnd();
        }
        else if (table.Row is { Action: { } action })
        {
            Close();
            act(action);
        }
        else if (text.Length > 0)
        {
            Close();
            model.Run(text);
        }
    }

    string Below()
    {
        var completions = string.Join(' ', TypedCommands.Beginning(field.Text));
        return field.Text.Contains(' ', StringComparison.Ordinal) && completions.Length > 0 ? completions
            : table.Row is { WhyNot: { } why } ? why : "enter does it   tab completes   esc closes";
    }

    static IEnumerable<TableColumn<PaletteRow>> Columns() =>
    [
        new("command", 30, 9, r => r.Name) { Role = r => r.WhyNot is null ? Role.Text : Role.Faint },
        new("key", 22, 8, r => r.Keys) { Role = r => r.WhyNot is null ? Role.KeyName : Role.Faint },
        new("not possible now", 0, 7, r => r.WhyNot ?? "") { Role = _ => Role.Faint, IsProse = _ => true },
    ];
}
