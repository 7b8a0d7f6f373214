using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Commands;

/// <summary>A command in the command palette.</summary>
/// <param name="Name">Name of the command; a part of the name is enough to find the command.</param>
/// <param name="Keys">Key of the command, or an example of how to type the command.</param>
/// <param name="WhyNot">Why the command is not possible now; null if the command is possible.</param>
sealed record PaletteRow(string Name, string Keys, string? WhyNot)
{
    /// <summary>Action of the command; null if the command needs arguments.</summary>
    public UiAction? Action { get; init; }

    /// <summary>Beginning of the text of a command with arguments, such as <c>goto </c>; else empty.</summary>
    public string Typed { get; init; } = "";
}

/// <summary>The command palette, which finds commands by name, for users who do not know the keys.</summary>
static class Palette
{
    /// <summary>The actions and their names, the most useful first.</summary>
    public static ImmutableArray<(UiAction Action, string Name)> Names { get; } =
    [
        (UiAction.ShowOverview, "show overview"), (UiAction.ShowInjections, "show injections"), (UiAction.ShowStacks, "show stacks"),
        (UiAction.ShowLatency, "show latency"), (UiAction.ShowClimbing, "show climbing"), (UiAction.ShowFindings, "show findings"),
        (UiAction.NextView, "next view"), (UiAction.Probe, "take stacks, measure items"), (UiAction.WhatIf, "what if: other settings"),
        (UiAction.Save, "save a report or the events"), (UiAction.Export, "save the buffered events"),
        (UiAction.Copy, "copy to clipboard"), (UiAction.Freeze, "freeze, resume"), (UiAction.Follow, "follow the newest"),
        (UiAction.PreviousEvent, "previous event"), (UiAction.NextEvent, "next event"),
        (UiAction.PreviousInjection, "previous injection"), (UiAction.NextInjection, "next injection"),
        (UiAction.PreviousFinding, "previous finding"), (UiAction.NextFinding, "next finding"),
        (UiAction.Enter, "details of what is selected"), (UiAction.OnTimeline, "show on the timeline"),
        (UiAction.Filter, "filter rows"), (UiAction.VerdictFilter, "only one judgment"), (UiAction.Sort, "sort rows, group stacks"),
        (UiAction.Acknowledge, "mark finding read or unread"), (UiAction.Frames, "show or hide framework frames"),
        (UiAction.WaitOrRun, "queue time or run time"), (UiAction.Percentiles, "few or all percentiles"),
        (UiAction.HideNoMove, "all marks or the main ones"), (UiAction.ZoomIn, "zoom in"), (UiAction.ZoomOut, "zoom out"),
        (UiAction.ZoomDefault, "zoom default"), (UiAction.PanBack, "pan back"), (UiAction.PanForward, "pan forward"),
        (UiAction.Oldest, "oldest data"), (UiAction.Newest, "newest data"), (UiAction.FitStarved, "zoom to the starved time"),
        (UiAction.Mark, "measure: set a mark"), (UiAction.PlayPause, "replay: play, pause"), (UiAction.Slower, "replay: slower"),
        (UiAction.Faster, "replay: faster"), (UiAction.SelfCheck, "check which data arrives"), (UiAction.Loss, "loss: which events"),
        (UiAction.Again, "again: wait for a restart"), (UiAction.Forget, "forget: clear the history"),
        (UiAction.RowUp, "previous row"), (UiAction.RowDown, "next row"), (UiAction.PageUp, "page up"), (UiAction.PageDown, "page down"),
        (UiAction.First, "to the top"), (UiAction.Last, "to the bottom"), (UiAction.Peel, "back one step"),
        (UiAction.Redraw, "redraw the screen"), (UiAction.Help, "help"), (UiAction.Quit, "quit"),
    ];

    /// <summary>The commands with arguments, each with an example.</summary>
    static readonly ImmutableArray<(string Name, string Example)> WithWords =
    [
        ("goto", "goto -12s"), ("whatif", "whatif processors 4"), ("export", "export html"), ("min", "min 50"), ("speed", "speed 10"),
        ("theme", "theme light"), ("glyphs", "glyphs ascii"),
    ];

    /// <summary>Commands whose names contain every word of a text, and commands with arguments that begin with its first word.</summary>
    public static ImmutableArray<PaletteRow> Find(string text, Scene scene, ScreenLinks links)
    {
        var words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return
        [
            .. Names.Where(n => Holds(n.Name, words)).Select(n => new PaletteRow(
                n.Name, Bindings.KeysOf(n.Action), Availability.Refusal(new(n.Action), scene, links)) { Action = n.Action }),
            .. WithWords.Where(w => words.Length == 0 || w.Name.StartsWith(words[0], StringComparison.OrdinalIgnoreCase))
                .Select(w => new PaletteRow(w.Name + " ...", w.Example, null) { Typed = w.Name + " " }),
        ];
    }

    static bool Holds(string name, string[] words) => words.All(w => name.Contains(w, StringComparison.OrdinalIgnoreCase));
}
