using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Screen;

/// <summary>
/// The what-if dialog, which simulates the observed work items with other settings. The dialog has a list of changes, fields for any other
/// change, and the answer. The overview shows the simulated curve over the observed one.
/// </summary>
sealed class WhatIfSheet : Sheet
{
    /// <summary>Maximum number of visible choices; more rows would leave no room for the answer on a screen of 80x24.</summary>
    const int MostChoices = 7;

    const int FieldColumns = 6;

    /// <summary>The pool versions to choose from: the version of the watched process, and older versions.</summary>
    static readonly ImmutableArray<(string Name, PolicyKind? Policy)> Pools =
        [("as it is", null), ("before .NET 6", PolicyKind.Native), (".NET Framework 3.5", PolicyKind.Clr35), ("1.1", PolicyKind.Clr11)];

    readonly ScreenModel model;
    readonly RowTable<WhatIfChoice> choices;
    readonly TextField min;
    readonly TextField max;
    readonly TextField processors;
    readonly CheckBox async;
    readonly OptionSelector pool;
    readonly TextPane answer;
    readonly ImmutableArray<WhatIfChoice> offered;
    string wrong = "";
    bool asked;

    public WhatIfSheet(Func<Looks> looks, ScreenModel model)
        : base(looks(), "what if the same work items ran with other settings?", 90)
    {
        this.model = model;
        offered = model.Scene is { } scene ? WhatIfChoice.Of(scene.Report) : [];
        choices = new(looks, Columns) { Height = Math.Min(offered.Length, MostChoices) + 1, CanFocus = true };
        choices.Opened += Choose;
        min = Number(12);
        max = Number(30);
        processors = Number(48);
        async = new() { X = 56, Y = Pos.Bottom(choices), Text = "async", Width = Dim.Auto() };
        pool = new()
        {
            X = 12, Y = Pos.Bottom(choices) + 1, Labels = [.. Pools.Select(p => p.Name)], Orientation = Orientation.Horizontal, Value = 0,
        };
        pool.Accepting += (_, e) => e.Handled = true;
        var names = new DrawingView(looks, pane =>
        {
            pane.Put(1, 0, "MinThreads", Role.KeyName);
            pane.Put(19, 0, "MaxThreads", Role.KeyName);
            pane.Put(37, 0, "processors", Role.KeyName);
            pane.Put(1, 1, "pool", Role.KeyName);
        })
        { Y = Pos.Bottom(choices), Width = Dim.Fill(), Height = 2 };
        answer = new(looks) { Y = Pos.Bottom(choices) + 2 };
        Add(choices, names, min, max, processors, async, pool, answer);
        Initialized += (_, _) => choices.SetFocus();
        model.Changed += Take;
    }

    protected override View Rows => answer;

    protected override void Closed() => model.Changed -= Take;

    protected override void Fill()
    {
        choices.Fill(offered, choices.Row ?? offered.FirstOrDefault());
        Take();
    }

    protected override bool OnKeyDown(Key key)
    {
        if (choices.HasFocus && key.AsRune.Value is >= '1' and <= '9' and var digit && digit - '1' < offered.Length)
        {
            Choose(offered[digit - '1']);
            return true;
        }

        // The check box and the pool selector use only space and arrow keys, so Enter simulates there as in a number field.
        if (key == Key.Enter)
        {
            Typed();
            return true;
        }

        return base.OnKeyDown(key);
    }

    TextInput Number(int x)
    {
        var field = new TextInput(Typed);
        (field.X, field.Y, field.Width) = (x, Pos.Bottom(choices), FieldColumns);
        return field;
    }

    void Choose(WhatIfChoice? choice)
    {
        if (choice is not null)
        {
            choices.Fill(offered, choice);
            var change = choice.Change;
            (min.Text, max.Text, processors.Text) = (Written(change.Min), Written(change.Max), Written(change.Processors));
            async.Value = change.Async ? CheckState.Checked : CheckState.UnChecked;
            pool.Value = Math.Max(0, Pools.IndexOf(Pools.FirstOrDefault(p => p.Policy == change.Policy)));
            Simulate(change);
        }
    }

    // Simulates the values of all fields together.
    void Typed()
    {
        string[] words =
        [
            .. Word("min", min), .. Word("max", max), .. Word("processors", processors),
            .. async.Value == CheckState.Checked ? ["async"] : Array.Empty<string>(),
            .. Pools[pool.Value ?? 0].Policy is { } policy ? [policy.ToString().ToLowerInvariant()] : Array.Empty<string>(),
        ];
        if (WhatIfChoice.Parse(string.Join(' ', words)) is { } change)
        {
            Simulate(change);
        }
        else
        {
            wrong = words.Length == 0 ? "Nothing is changed yet: fill in a field."
                : "A number of threads or processors is from 1 to 32 767.";
            Take();
        }
    }

    static string[] Word(string name, TextField field) => field.Text.Trim() is { Length: > 0 } text ? [name, text] : [];

    static string Written(int? number) => number?.ToString(CultureInfo.InvariantCulture) ?? "";

    void Simulate(WhatIfChange change)
    {
        (wrong, asked) = ("", true);
        model.Do(new KeyCommand(UiAction.WhatIf) { Change = change });
    }

    void Take()
    {
        var state = model.State;
        var words = state.Simulated is { } known ? $"what if {known.Change.Words}" : "";
        var said = wrong.Length > 0 ? wrong
            : asked && state.Flash is { } flash && (state.Simulated is null || state.IsSimulating) ? flash : null;
        answer.Fill((words, said), width => said is not null
            ? TextFit.Wrap(said, width, int.MaxValue).Select(l => new TextLine(l, Role.Title)).Prepend(new(""))
            : state.Simulated is { } told
                ? WhatIfPanel.Lines(told, width).Prepend(new(words, Role.Title))
                    .Append(new("esc shows the simulated curve (*) on the overview.", Role.Faint))
                : [new(""), new("Press a digit or enter to simulate; tab leads to the fields.", Role.Faint)]);
    }

    IEnumerable<TableColumn<WhatIfChoice>> Columns() =>
    [
        new("", 1, 10, c => FormattableString.Invariant($"{offered.IndexOf(c) + 1}")) { Role = _ => Role.KeyName },
        new("change", 40, 9, c => c.Change.Words),
        new("note", 0, 8, c => c.Note) { Role = _ => Role.Faint },
    ];
}

/// <summary>The text of a what-if answer: effect, basis, uncertainty, and what the answer leaves out.</summary>
static class WhatIfPanel
{
    const int Indent = 8;

    public static void Draw(Pane pane, WhatIfAnswer answer)
    {
        pane.Rows(0, 1).Fill(0, pane.Glyphs.Rule, Role.Faint);
        var change = TextFit.Cut($"what if {answer.Change.Words}", pane.Width / 2);
        pane.Put(1, 0, $" {change}   * simulated   @ both   esc removes simulation ", Role.Title);
        TextBlock.Draw(pane.Rows(1, pane.Height - 1), [.. Lines(answer, pane.Width - 2)]);
    }

    public static IEnumerable<TextLine> Lines(WhatIfAnswer answer, int width) =>
        Texts(answer).SelectMany(t => TextBlock.Labelled(t.Label, t.Text, Indent, width, t.Role));

    public static IEnumerable<(string Label, string Text, Role Role)> Texts(WhatIfAnswer answer)
    {
        yield return ("Effect", WhatIfRenderer.Headline(answer), Role.Title);
        yield return ("", Sentence.Of(Words.OneLine(WhatIfWords.Others(answer))), Role.Text);
        if (answer.UnsureMin is { } unsure)
        {
            yield return ("But", $"{unsure} If you know the real MinThreads, type :min N.", Role.Text);
        }

        yield return ("Check", answer.Uncertainty, Role.Text);
        yield return ("Basis", answer.Basis, Role.Text);
        foreach (var remark in answer.Remarks.Where(remark => remark != answer.UnsureMin))
        {
            yield return ("But", remark, Role.Text);
        }
    }
}
