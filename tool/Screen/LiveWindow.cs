using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Drawing;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>
/// The window of the screen: header, tabs, verdict, the shown view, and the bar of keys. The window finds the action of every key in
/// <see cref="Bindings"/>. Actions that need Terminal.Gui (rows, text, dialogs) run here, all other actions in the model.
/// </summary>
sealed class LiveWindow : Runnable
{
    /// <summary>Minimum width in columns; a narrower screen only asks for more room.</summary>
    public const int MinWidth = 60;

    /// <summary>Minimum height in rows; a lower screen only asks for more room.</summary>
    public const int MinHeight = 16;

    /// <summary>Number of rows above the view: header, tabs and verdict.</summary>
    const int Top = 3;

    readonly ScreenModel model;
    readonly Look first;
    readonly DrawingView whole;
    readonly DrawingView header;
    readonly ClickLine tabs;
    readonly DrawingView status;
    readonly ClickLine keys;
    readonly DrawingView said;
    readonly TextField filter;
    readonly ImmutableArray<Page> pages;
    Looks looks;
    string before = "";

    public LiveWindow(ScreenModel model, Look look)
    {
        (this.model, first, looks) = (model, look, new(look));
        (Width, Height, CanFocus) = (Dim.Fill(), Dim.Fill(), true);
        SetScheme(looks[Role.Text]);
        whole = new(Now, Instead) { Width = Dim.Fill(), Height = Dim.Fill() };
        header = Bar(0, (pane, scene) => HeaderLine.Draw(pane, scene));
        tabs = new(Now, width => model.Scene is { } scene ? TabStrip.Of(pages, scene, width, Show) : [])
        {
            Y = 1, Width = Dim.Fill(), Height = 1,
        };
        status = Bar(2, (pane, scene) => StatusLine.Draw(pane, scene));
        keys = new(Now, KeyParts) { Y = Pos.AnchorEnd(1), Width = Dim.Fill(), Height = 1 };
        said = new(Now, Say) { Width = Dim.Fill() };
        filter = new TextInput(() => EndFilter(keep: true)) { X = 9, Y = Pos.AnchorEnd(1), Width = Dim.Fill(), Visible = false };
        filter.TextChanged += (_, _) => Filter(filter.Text);
        pages =
        [
            new OverviewPage(model, Now), new InjectionsPage(model, Now), new StacksPage(model, Now), new LatencyPage(model, Now),
            new ClimbingPage(model, Now), new FindingsPage(model, Now),
        ];
        Add(whole, header, tabs, status);
        Add([.. pages]);
        Add(keys, said, filter);
        model.Changed += Take;
    }

    public Looks Now() => looks;

    /// <summary>Callback that opens the dialog of an action; the creator of the window sets the callback.</summary>
    public required Action<UiAction> Open { get; init; }

    Page Shown => pages[(int)model.State.View];

    bool IsTooSmall => Viewport.Width < MinWidth || Viewport.Height < MinHeight;

    /// <summary>Runs the action of a key, a click or the command palette.</summary>
    public void Act(UiAction action)
    {
        switch (action)
        {
            case UiAction.Quit:
                App?.RequestStop();
                break;
            case UiAction.Redraw:
                model.Redraw();
                break;
            case UiAction.Filter when CommandAvailability.Refusal(new(action), model.Scene!, model.Links) is null:
                BeginFilter();
                break;
            case UiAction.Help or UiAction.Command or UiAction.SelfCheck or UiAction.Loss:
                Open(action);
                break;
            case UiAction.WhatIf or UiAction.Save when CommandAvailability.Refusal(new(action), model.Scene!, model.Links) is null:
                Open(action);
                break;
            case UiAction.Sort when model.State is { View: ViewName.Injections, Detail: false }:
                Shown.Sort();
                break;
            default:
                if (!Moves(action))
                {
                    model.Do(action);
                }

                break;
        }
    }

    public override void EndInit()
    {
        base.EndInit();
        Take();
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            model.Changed -= Take;
        }

        base.Dispose(disposing);
    }

    protected override void OnFrameChanged(in System.Drawing.Rectangle frame)
    {
        base.OnFrameChanged(frame);
        model.Resize(LaneBox.PlotColumns(frame.Width));
        Take();
    }

    protected override bool OnKeyDown(Key key)
    {
        if (filter.Visible)
        {
            // The filter field has already handled typed characters, so only Esc is handled here.
            if (key == Key.Esc)
            {
                EndFilter(keep: false);
            }

            return true;
        }

        if (model.Scene is null)
        {
            if (Bindings.Of(key, ViewName.Overview) is UiAction.Quit or UiAction.Redraw)
            {
                Act(Bindings.Of(key, ViewName.Overview)!.Value);
            }

            return true;
        }

        if (Bindings.Of(key, model.State.View) is { } action)
        {
            Act(action);
        }
        else if (!key.IsModifierOnly)
        {
            model.Refuse(KeyMessages.Unbound(key));
        }

        return true;
    }

    // Lets Terminal.Gui move rows or text; returns false where the action is not a movement.
    bool Moves(UiAction action)
    {
        var (page, detail) = (Shown, model.State.Detail);
        var (rows, text) = (detail ? null : page.Rows, page.Scrolled);
        var paged = page is InjectionsPage && !detail ? rows : text;
        (View? View, Command Command) move = action switch
        {
            UiAction.RowUp => (rows ?? text, rows is null ? Command.ScrollUp : Command.Up),
            UiAction.RowDown => (rows ?? text, rows is null ? Command.ScrollDown : Command.Down),
            UiAction.PageUp => (paged, Command.PageUp),
            UiAction.PageDown => (paged, Command.PageDown),
            UiAction.First => (rows ?? text, Command.Start),
            UiAction.Last => (rows ?? text, Command.End),
            _ => (null, Command.NotBound),
        };
        if (move.View is not { } moved)
        {
            return false;
        }

        var before = (moved.Viewport.Y, (moved as IRowCursor)?.Cursor);
        moved.InvokeCommand(move.Command);
        if (before == (moved.Viewport.Y, (moved as IRowCursor)?.Cursor))
        {
            model.Refuse(KeyMessages.Of(action, model.Scene!));
        }

        return true;
    }

    void Show(ViewName view) => model.Do(UiAction.ShowOverview + (int)view);

    void BeginFilter()
    {
        before = model.State.List.Filter;
        filter.Text = before;
        filter.Visible = true;
        filter.MoveEnd();
        filter.SetFocus();
        Take();
    }

    void EndFilter(bool keep)
    {
        filter.Visible = false;
        Filter(keep ? filter.Text : before);
        SetFocus();
        Take();
    }

    void Filter(string text)
    {
        if (text.Trim() != model.State.List.Filter)
        {
            model.Choose(scene => scene.State with { List = scene.State.List with { Filter = text.Trim() } });
        }
    }

    // Updates the window from the model: the shown page, its rows, and the lines at the bottom.
    void Take()
    {
        if (!IsInitialized)
        {
            return;
        }

        Restyle();
        var scene = IsTooSmall ? null : model.Scene;
        var lines = scene is null || filter.Visible ? 0 : FootLine.Said(model.State, Viewport.Width).Count;
        var foot = Math.Max(1, Math.Min(lines, Viewport.Height - Top - 1));
        foreach (var view in new View[] { header, tabs, status })
        {
            view.Visible = scene is not null;
            view.SetNeedsDraw();
        }

        whole.Visible = scene is null;
        whole.SetNeedsDraw();
        keys.Visible = scene is not null && lines == 0 || filter.Visible;
        said.Visible = lines > 0;
        (said.Y, said.Height) = (Pos.AnchorEnd(foot), foot);
        foreach (var page in pages)
        {
            (page.Y, page.Width, page.Height) = (Top, Dim.Fill(), Math.Max(0, Viewport.Height - Top - foot));
            page.Visible = scene is not null && page.Name == scene.State.View;
        }

        keys.SetNeedsDraw();
        said.SetNeedsDraw();
        if (scene is not null)
        {
            Layout(Frame.Size);
            Shown.Take(scene);
        }
    }

    // Applies a theme or glyphs that the user chose with a typed command.
    void Restyle()
    {
        if (first.With(model.State.Looks.Theme, model.State.Looks.Glyphs) is var wanted && wanted != looks.Look)
        {
            looks = new(wanted);
            SetScheme(looks[Role.Text]);
            SetNeedsDraw();
        }
    }

    DrawingView Bar(int y, Action<Pane, Scene> draw) => new(Now, pane =>
    {
        if (model.Scene is { } scene)
        {
            draw(pane, scene);
        }
    })
    { Y = y, Width = Dim.Fill(), Height = 1 };

    // Draws what replaces the screen before the first data, and on a screen that is too small.
    void Instead(Pane pane)
    {
        if (model.Scene is not { } scene)
        {
            FullScreenMessages.Waiting(pane);
        }
        else
        {
            FullScreenMessages.TooSmall(pane, scene, MinWidth, MinHeight);
        }
    }

    void Say(Pane pane)
    {
        var lines = FootLine.Said(model.State, pane.Width);
        for (var y = 0; y < lines.Count; y++)
        {
            pane.Put(1, y, lines[y], Role.Title);
        }
    }

    IEnumerable<ClickPart> KeyParts(int width)
    {
        if (filter.Visible)
        {
            yield return new(1, "filter:", Role.KeyName);
            yield break;
        }

        if (model.Scene is not { } scene)
        {
            yield break;
        }

        var x = 1;
        foreach (var hint in HintLine.Of(scene, width - 2, scene.State.OffersStacks ? FootLine.StackOffer : null))
        {
            var half = Math.Max(1, hint.Keys.Length / 2);
            if (hint.First != hint.Action)
            {
                yield return new(x, hint.Keys[..half], Role.KeyName, () => Act(hint.First));
                yield return new(x + half, hint.Keys[half..], Role.KeyName, () => Act(hint.Action));
            }
            else
            {
                // The space after the key also reacts to a click.
                yield return new(x, hint.Keys, Role.KeyName, () => Act(hint.Action)) { Beyond = 1 };
            }

            var words = x + hint.Keys.Length + (hint.IsOffer ? 0 : 1);
            yield return new(words, hint.Does, hint.IsOffer ? Role.Title : Role.Faint, () => Act(hint.Action));
            x = words + hint.Does.Length + HintLine.Between;
        }
    }
}

/// <summary>
/// The tabs: one row with the views and their keys, the shown view in brackets, counts in parentheses. Terminal.Gui's own tabs are not
/// used, because they take three rows and do not erase the end of a title that gets shorter (version 2.5.0).
/// </summary>
static class TabStrip
{
    /// <summary>The spellings of the tabs, from the longest to the shortest; the first spelling that fits is used.</summary>
    static readonly ImmutableArray<Spelling> Spellings =
    [
        new(p => p.TabName, AllCounts: true, OfAll: true), new(p => p.TabName, AllCounts: true, OfAll: false),
        new(p => p.TabName, AllCounts: false, OfAll: true), new(p => p.TabName, AllCounts: false, OfAll: false),
        new(p => p.Brief, AllCounts: true, OfAll: false), new(p => p.Brief, AllCounts: false, OfAll: false),
    ];

    /// <summary>Returns the tabs for a width in columns; a click on a tab shows the tab's view.</summary>
    public static IEnumerable<ClickPart> Of(IReadOnlyList<Page> pages, Scene scene, int width, Action<ViewName> show)
    {
        var spelled = Spellings.Select(s => pages.Select(p => Tab(p, scene, s)).ToArray()).ToList();
        var fitting = spelled.FirstOrDefault(tabs => tabs.Sum(t => t.Length) <= width) ?? spelled[^1];
        var between = fitting.Sum(t => t.Length + 1) <= width ? 1 : 0;
        var x = 0;
        foreach (var (page, text) in pages.Zip(fitting))
        {
            yield return new(x, text, page.Name == scene.State.View ? Role.Title : Role.Text, () => show(page.Name));
            x += text.Length + between;
        }
    }

    static string Tab(Page page, Scene scene, Spelling spelling)
    {
        var shown = page.Name == scene.State.View;
        var count = !shown && page.Alert(scene) is { Length: > 0 } alert ? (spelling.OfAll ? $"{page.Count(scene)}, {alert}" : alert)
            : spelling.AllCounts ? page.Count(scene) : "";
        var text = FormattableString.Invariant($"{(int)page.Name + 1} {spelling.Name(page)}{(count.Length > 0 ? $" ({count})" : "")}");
        return shown ? $"[{text}]" : $" {text} ";
    }

    /// <param name="AllCounts">Whether every tab shows the count of its view; if not, only a tab with an alert shows a number.</param>
    /// <param name="OfAll">Whether a tab with an alert also shows the total count.</param>
    sealed record Spelling(Func<Page, string> Name, bool AllCounts, bool OfAll);
}

/// <summary>A part of a line that may react to a click.</summary>
/// <param name="X">First column of the part.</param>
/// <param name="Act">The action of a click; null where a click does nothing.</param>
readonly record struct ClickPart(int X, string Text, Role Role, Action? Act = null)
{
    /// <summary>Number of columns after the text that also react to a click.</summary>
    public int Beyond { get; init; }
}

/// <summary>A line of clickable parts: the tabs and the bar of keys.</summary>
/// <param name="parts">Gets the parts of the line for a width in columns.</param>
sealed class ClickLine(Func<Looks> looks, Func<int, IEnumerable<ClickPart>> parts) : DrawingView(looks, pane => Draw(pane, parts))
{
    readonly Func<int, IEnumerable<ClickPart>> parts = parts;

    protected override bool OnMouseEvent(Mouse mouse)
    {
        if ((mouse.Flags & Clicks.Any) == 0 || mouse.Position is not { } at)
        {
            return base.OnMouseEvent(mouse);
        }

        parts(Viewport.Width).FirstOrDefault(p => at.X >= p.X && at.X < p.X + p.Text.Length + p.Beyond).Act?.Invoke();
        return true;
    }

    static void Draw(Pane pane, Func<int, IEnumerable<ClickPart>> parts)
    {
        foreach (var part in parts(pane.Width))
        {
            pane.Put(part.X, 0, part.Text, part.Role);
        }
    }
}
