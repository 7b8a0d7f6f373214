using Terminal.Gui.Input;
using Tpwatch.WhatIf;

namespace Tpwatch.Screen.Commands;

/// <summary>A group of related keys as shown in the hint line and in the help.</summary>
/// <param name="Keep">Priority in a narrow hint line: the smallest is left out first. At 0 the keys are only in the help.</param>
sealed record Binding(string Show, string Hint, string Help, int Keep, ImmutableArray<(Key Key, UiAction Action)> Keys)
{
    /// <summary>The views on which the keys work; a key has one meaning on all these views.</summary>
    public ViewSet On { get; init; } = ViewSet.Everywhere;

    /// <summary>The views on which the hint line shows the keys, provided that the keys work there.</summary>
    public ViewSet Hinted { get; init; } = ViewSet.Everywhere;

    public bool IsHintedOn(ViewName view) => Keep > 0 && (On & Hinted).Has(view);
}

/// <summary>The table of all keys of the live screen, for dispatch, hint line and help. Dialogs have keys of their own.</summary>
static class Bindings
{
    public static ImmutableArray<Binding> All { get; } =
    [
        new("1..6", "view", "show that view", 5,
        [
            (Char('1'), UiAction.ShowOverview), (Char('2'), UiAction.ShowInjections), (Char('3'), UiAction.ShowStacks),
            (Char('4'), UiAction.ShowLatency), (Char('5'), UiAction.ShowClimbing), (Char('6'), UiAction.ShowFindings),
        ]) { Hinted = ViewSet.Everywhere & ~ViewSet.Overview },
        new("tab", "", "the next view", 0, [(Key.Tab, UiAction.NextView)]),
        new("up/dn", "row", "previous, next row (also k j)", 15,
            [(Key.CursorUp, UiAction.RowUp), (Key.CursorDown, UiAction.RowDown),
                (Char('k'), UiAction.RowUp), (Char('j'), UiAction.RowDown)])
            { On = ViewSet.Rows },
        new("space", "freeze", "freeze; the capture goes on", 7, [(Char(' '), UiAction.Freeze)]) { Hinted = ViewSet.Timelines },
        new("f", "follow", "follow the newest, unfreeze", 6, [(Char('f'), UiAction.Follow)]) { Hinted = ViewSet.Timelines },
        new("<-/->", "event", "previous, next event", 16,
            [(Key.CursorLeft, UiAction.PreviousEvent), (Key.CursorRight, UiAction.NextEvent)])
            {
                On = ViewSet.Events,
                Hinted = ViewSet.Overview,
            },
        new("[ ]", "injection", "previous, next injection", 8,
            [(Char('['), UiAction.PreviousInjection), (Char(']'), UiAction.NextInjection)])
            { On = ViewSet.Events, Hinted = ViewSet.Overview },
        new("enter", "detail", "details of what is selected", 14, [(Key.Enter, UiAction.Enter)])
            { On = ViewSet.Overview | ViewSet.Lists, Hinted = (ViewSet.Overview | ViewSet.Lists) & ~ViewSet.Findings },
        new("o", "timeline", "show the row on the timeline", 12, [(Char('o'), UiAction.OnTimeline)]) { On = ViewSet.Lists },
        new("n N", "finding", "next, previous finding", 4, [(Char('n'), UiAction.NextFinding), (Char('N'), UiAction.PreviousFinding)])
            { On = ViewSet.Overview | ViewSet.Findings },
        new("v", "judgment", "only rows of one judgment", 11, [(Char('v'), UiAction.VerdictFilter)]) { On = ViewSet.Injections },
        new("c", "sort", "sort rows; on 3: group by kind", 10, [(Char('c'), UiAction.Sort)]) { On = ViewSet.Injections | ViewSet.Stacks },
        new("/", "filter", "filter: a word, S, delay>900", 9, [(Char('/'), UiAction.Filter)])
            { On = ViewSet.Injections | ViewSet.Findings },
        new("w", "what-if", "what if MinThreads were N?", 9, [(Char('w'), UiAction.WhatIf)])
            { Hinted = ViewSet.Events | ViewSet.Findings },
        new("t", "probe", "take stacks; on 4: item times", 13, [(Char('t'), UiAction.Probe)]),
        new("a", "read/unread", "mark a finding read, or unread", 7, [(Char('a'), UiAction.Acknowledge)]) { On = ViewSet.Findings },
        new("b", "frames", "show or hide framework frames", 10, [(Char('b'), UiAction.Frames)]) { On = ViewSet.Stacks },
        new("u", "queued/run", "queue time, run time, or both", 10, [(Char('u'), UiAction.WaitOrRun)]) { On = ViewSet.Latency },
        new("p", "percentiles", "few or all percentiles", 8, [(Char('p'), UiAction.Percentiles)]) { On = ViewSet.Latency },
        new("d", "marks", "all marks, or the main ones", 8, [(Char('d'), UiAction.HideNoMove)])
            { On = ViewSet.Overview | ViewSet.Climbing, Hinted = ViewSet.Climbing },
        new("y", "copy", "copy to terminal clipboard", 11, [(Char('y'), UiAction.Copy)])
        {
            On = ViewSet.Overview | ViewSet.Rows,
            Hinted = ViewSet.Findings | ViewSet.Stacks,
        },
        new("s", "save", "save a report or the events", 10, [(Char('s'), UiAction.Save)]) { Hinted = ViewSet.Findings },
        new("+/-", "zoom", "zoom in, out; = resets it", 13,
            [(Char('+'), UiAction.ZoomIn), (Char('-'), UiAction.ZoomOut), (Char('='), UiAction.ZoomDefault)]) { On = ViewSet.Timelines },
        new("h/l", "pan", "half a page back, forward", 3,
            [(Char('h'), UiAction.PanBack), (Char('l'), UiAction.PanForward)]) { On = ViewSet.Timelines },
        new("g G", "ends", "the oldest, the newest data", 2, [(Char('g'), UiAction.Oldest), (Char('G'), UiAction.Newest)])
            { On = ViewSet.Timelines | ViewSet.Injections },
        new("home", "", "to the top; end: to the bottom", 0,
            [(Key.Home, UiAction.First), (Key.End, UiAction.Last)]),
        new("z", "starved", "zoom to the last starved time", 5, [(Char('z'), UiAction.FitStarved)]) { On = ViewSet.Timelines },
        new("m", "mark", "measure from mark A to mark B", 1, [(Char('m'), UiAction.Mark)]) { On = ViewSet.Timelines },
        new("e", "", "save the buffered events", 0, [(Char('e'), UiAction.Export)]),
        new("P , .", "", "replay: play, slower, faster", 0,
            [(Char('P'), UiAction.PlayPause), (Char(','), UiAction.Slower), (Char('.'), UiAction.Faster)]),
        new("i", "", "arriving and missing data", 0, [(Char('i'), UiAction.SelfCheck)]),
        new("L", "", "which events were lost, when", 0, [(Char('L'), UiAction.Loss)]),
        new("R", "", "when exited: wait for restart", 0, [(Char('R'), UiAction.Again)]),
        new("x", "", "clear the history (asks first)", 0, [(Char('x'), UiAction.Forget)]),
        new(":", "commands", "find a command, or goto -12s", 1, [(Char(':'), UiAction.Command)]),
        new("pgup", "", "a page back; pgdn: forward", 0,
            [(Key.PageUp, UiAction.PageUp), (Key.PageDown, UiAction.PageDown)]),
        new("esc", "back", "one step back; never quits", 9,
            [(Key.Esc, UiAction.Peel)]) { Hinted = ViewSet.Everywhere & ~ViewSet.Overview },
        new("F5", "", "redraw the screen", 0, [(Key.F5, UiAction.Redraw)]),
        new("?", "help", "this help", 19, [(Char('?'), UiAction.Help)]),
        new("q", "quit", "quit (also ctrl+c, ctrl+d)", 20,
            [(Char('q'), UiAction.Quit), (Key.C.WithCtrl, UiAction.Quit), (Key.D.WithCtrl, UiAction.Quit)]),
    ];

    static ImmutableDictionary<Key, (UiAction Action, ViewSet On)> ByKey { get; } =
        All.SelectMany(b => b.Keys.Select(k => (k.Key, k.Action, b.On))).ToImmutableDictionary(k => k.Key, k => (k.Action, k.On));

    /// <summary>Returns the first key of an action as text, such as <c>[</c> or <c>pgdn</c>; empty if the action has no key.</summary>
    public static string KeysOf(UiAction action) => string.Join(
        ' ', All.SelectMany(b => b.Keys).Where(k => k.Action == action).Select(k => NameOf(k.Key)).Take(1));

    /// <summary>Returns the views on which an action works; all views if the action has no key.</summary>
    public static ViewSet WhereOf(UiAction action) =>
        All.Where(b => b.Keys.Any(k => k.Action == action)).Select(b => b.On).DefaultIfEmpty(ViewSet.Everywhere).First();

    public static string NameOf(Key key) => key switch
    {
        _ when key == Key.Space => "space",
        _ when key == Key.CursorUp => "up",
        _ when key == Key.CursorDown => "dn",
        _ when key == Key.CursorLeft => "<-",
        _ when key == Key.CursorRight => "->",
        _ when key == Key.PageUp => "pgup",
        _ when key == Key.PageDown => "pgdn",
        _ when key == Key.F5 => "F5",
        { IsCtrl: true } => $"ctrl+{key.NoCtrl.AsRune.ToString().ToLowerInvariant()}",
        _ when key.AsRune is { Value: > ' ' and < 0x7F } rune => rune.ToString(),
        _ => key.ToString().ToLowerInvariant(),
    };

    /// <summary>Returns the action of a key on a view; null if the key has no action there.</summary>
    public static UiAction? Of(Key key, ViewName view) => ByKey.TryGetValue(key, out var bound) && bound.On.Has(view) ? bound.Action : null;

    static Key Char(char character) => new(character);
}

/// <summary>The actions that keys, clicks and commands trigger.</summary>
enum UiAction
{
    Quit,
    Help,
    Peel,
    Redraw,
    ShowOverview,
    ShowInjections,
    ShowStacks,
    ShowLatency,
    ShowClimbing,
    ShowFindings,
    NextView,
    Freeze,
    Follow,
    PreviousEvent,
    NextEvent,
    PreviousInjection,
    NextInjection,
    PreviousFinding,
    NextFinding,
    RowUp,
    RowDown,
    PageUp,
    PageDown,
    Enter,
    OnTimeline,
    VerdictFilter,
    Sort,
    ZoomIn,
    ZoomOut,
    ZoomDefault,
    PanBack,
    PanForward,
    First,
    Last,
    Oldest,
    Newest,
    FitStarved,
    Mark,
    Filter,
    Command,
    Copy,
    Save,
    Export,
    WhatIf,
    PlayPause,
    Slower,
    Faster,
    SelfCheck,
    Loss,
    Again,
    Forget,
    Acknowledge,
    Probe,
    WaitOrRun,
    Percentiles,
    Frames,
    HideNoMove,
}

/// <summary>A command from a key, a click, a dialog or a typed line, with one argument or none.</summary>
sealed record KeyCommand(UiAction Action)
{
    /// <summary>What to save, for the actions Save and Export.</summary>
    public SaveRequest Save { get; init; }

    /// <summary>The change to simulate; null for other actions than WhatIf.</summary>
    public WhatIfChange? Change { get; init; }

    /// <summary>The moment to which the replay jumps, milliseconds after the start of the capture; null for no jump.</summary>
    public double? SeekMs { get; init; }

    /// <summary>New speed of the replay, a multiple of real time; <c>Max</c> is as fast as possible. Null for no change.</summary>
    public (bool Max, double Speed)? Speed { get; init; }

    public static KeyCommand? Of(UiAction? action) => action is { } known ? new(known) : null;
}
