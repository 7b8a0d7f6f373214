using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Model;
using Tpwatch.Screen.State;
using Tpwatch.Screen.Views;
using Tpwatch.Screen.Widgets;
using Tpwatch.WhatIf.Study;

namespace Tpwatch.Screen.Dialogs;

/// <summary>
/// What if the same work items ran with other settings? Changes to choose from, fields for any other, and the answer; the simulated curve
/// lies over the overview.
/// </summary>
sealed class WhatIfSheet : Sheet
{
    readonly ScreenModel model;
    readonly RowTable<WhatIfChoice> choices;
    readonly TextField change;
    readonly TextPane answer;
    readonly ImmutableArray<WhatIfChoice> offered;

    /// <param name="looks">The looks of the moment.</param>
    /// <param name="model">What is shown.</param>
    public WhatIfSheet(Func<Looks> looks, ScreenModel model)
        : base(looks(), "what if the same work items ran with other settings?", 90)
    {
        this.model = model;
        offered = model.Scene is { } scene ? WhatIfChoice.Of(scene.Report) : [];
        choices = new(looks, Columns) { Height = Math.Min(offered.Length + 1, 9), CanFocus = true };
        choices.Opened += Simulate;
        choices.Accepting += (_, e) =>
        {
            e.Handled = true;
            Simulate(choices.Row);
        };
        var label = new DrawingView(looks, pane => pane.Put(1, 0, "change:", Role.KeyName))
        {
            Y = Pos.Bottom(choices), Width = 9, Height = 1,
        };
        change = Field(Typed);
        (change.X, change.Y) = (9, Pos.Bottom(choices));
        var hint = new DrawingView(looks, pane => pane.Put(1, 0, TextFit.Whole(
            "such as: min 40 max 60   processors 16   async   native.  tab: to the field", pane.Width - 2), Role.Faint))
        {
            Y = Pos.Bottom(change), Width = Dim.Fill(), Height = 1,
        };
        answer = new(looks) { Y = Pos.Bottom(hint) };
        Add(choices, label, change, hint, answer);
        Initialized += (_, _) => choices.SetFocus();
        model.Changed += Take;
    }

    protected override View Rows => answer;

    /// <inheritdoc/>
    protected override void Closed() => model.Changed -= Take;

    /// <inheritdoc/>
    protected override void OnSubViewsLaidOut(LayoutEventArgs args)
    {
        base.OnSubViewsLaidOut(args);
        choices.Fill(offered, choices.Row ?? offered.FirstOrDefault());
        Take();
    }

    /// <inheritdoc/>
    protected override bool OnKeyDown(Key key)
    {
        if (!change.HasFocus && key.AsRune.Value is >= '1' and <= '9' and var digit && digit - '1' < offered.Length)
        {
            Simulate(offered[digit - '1']);
            return true;
        }

        return base.OnKeyDown(key);
    }

    void Simulate(WhatIfChoice? choice)
    {
        if (choice is not null)
        {
            choices.Fill(offered, choice);
            Simulate(choice.Change);
        }
    }

    void Typed()
    {
        if (WhatIfChoice.Parse(change.Text) is { } wanted)
        {
            Simulate(wanted);
        }
        else
        {
            model.Run($"whatif {change.Text}");
        }
    }

    void Simulate(WhatIfChange wanted) => model.Do(new Wish(UiAction.WhatIf) { Change = wanted });

    void Take()
    {
        var state = model.State;
        var words = state.Imagined is { } known ? $"what if {known.Change.Words}" : "";
        answer.Fill((words, state.Flash), width => state.Flash is { } said && (state.Imagined is null || IsUnderWay(said))
            ? TextFit.Wrap(said, width, int.MaxValue).Select(l => new TextLine(l, Role.Title)).Prepend(new(""))
            : state.Imagined is { } told
                ? WhatIfPanel.Lines(told, width).Prepend(new(words, Role.Title)).Append(new("esc shows the simulated curve (*) on the overview.",
                    Role.Faint))
                : [new(""), new("Press a digit or enter to simulate.", Role.Faint)]);
    }

    static bool IsUnderWay(string said) => !said.StartsWith("The picture", StringComparison.Ordinal);

    IEnumerable<TableColumn<WhatIfChoice>> Columns() =>
    [
        new("", 1, 10, c => FormattableString.Invariant($"{offered.IndexOf(c) + 1}")) { Role = _ => Role.KeyName },
        new("change", 40, 9, c => c.Change.Words),
        new("note", 0, 8, c => c.Note) { Role = _ => Role.Faint },
    ];
}
