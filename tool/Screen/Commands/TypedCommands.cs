using Tpwatch.WhatIf;

namespace Tpwatch.Screen.Commands;

/// <summary>The commands that the user types after a colon.</summary>
static class TypedCommands
{
    /// <summary>Names of commands that also have a key.</summary>
    static readonly ImmutableSortedDictionary<string, UiAction> AsKeys = new Dictionary<string, UiAction>
    {
        ["overview"] = UiAction.ShowOverview, ["injections"] = UiAction.ShowInjections, ["stacks"] = UiAction.ShowStacks,
        ["latency"] = UiAction.ShowLatency, ["hillclimb"] = UiAction.ShowClimbing, ["findings"] = UiAction.ShowFindings,
        ["copy"] = UiAction.Copy, ["save"] = UiAction.Save, ["follow"] = UiAction.Follow, ["freeze"] = UiAction.Freeze,
        ["starved"] = UiAction.FitStarved, ["help"] = UiAction.Help,
        ["quit"] = UiAction.Quit, ["export"] = UiAction.Export,
        ["check"] = UiAction.SelfCheck, ["loss"] = UiAction.Loss, ["again"] = UiAction.Again,
        ["forget"] = UiAction.Forget, ["play"] = UiAction.PlayPause,
    }.ToImmutableSortedDictionary(StringComparer.Ordinal);

    /// <summary>Commands with arguments, and the arguments offered for completion.</summary>
    static readonly ImmutableSortedDictionary<string, ImmutableArray<string>> WithWords = new Dictionary<string, ImmutableArray<string>>
    {
        ["goto"] = ["start", "end"], ["min"] = [], ["speed"] = ["0.5", "1", "10", "max"], ["theme"] = ["dark", "light", "16", "mono"],
        ["glyphs"] = ["braille", "block", "ascii"],
        ["whatif"] = ["min ", "max ", "processors ", "async", "native", "clr35", "clr11", "rotor"],
        ["export"] = [.. SaveFormat.Documents.Order(StringComparer.Ordinal)],
    }.ToImmutableSortedDictionary(StringComparer.Ordinal);

    const string Changes = "Write one or more of 'min 50', 'max 20', 'processors 16', async, native, clr35, clr11, rotor.";

    public static ImmutableArray<string> Names { get; } = [.. AsKeys.Keys.Union(WithWords.Keys).Order(StringComparer.Ordinal)];

    /// <summary>Returns the possible completions of the typed text, for the line below the field.</summary>
    public static IEnumerable<string> Beginning(string text) => Split(text) is var (before, last)
        ? Candidates(before).Where(n => n.StartsWith(last, StringComparison.Ordinal))
        : [];

    /// <summary>Returns the typed text, completed by the longest common beginning of all completions.</summary>
    public static string Complete(string text)
    {
        var names = Beginning(text).ToList();
        if (names.Count == 0)
        {
            return text;
        }

        var shared = names[0];
        while (!names.All(n => n.StartsWith(shared, StringComparison.Ordinal)))
        {
            shared = shared[..^1];
        }

        var (before, _) = Split(text);
        return before + shared + (names.Count == 1 && before.Length == 0 && WithWords.ContainsKey(shared) ? " " : "");
    }

    public static (ViewState State, KeyCommand? KeyCommand) Run(Scene scene, int columns, string text)
    {
        var words = text.Split(' ', 2, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return words switch
        {
            [] => (scene.State, null),
            ["goto", var where] => GotoCommand.Run(scene, columns, where),
            ["goto"] => (Say(scene, GotoCommand.Usage), null),
            ["min", var number] => (Min(scene, number), null),
            ["min"] => (Say(scene, "How many? :min 50 assumes that MinThreads is 50. :min ? removes the assumption."), null),
            ["theme", var name] => (Theme(scene, name), null),
            ["glyphs", var name] => (Glyphs(scene, name), null),
            ["speed", var speed] => Speed(scene, speed),
            ["whatif", var change] => WhatIf(scene, change),
            ["whatif"] => (Say(scene, $"Which change? {Changes}"), null),
            ["export", var word] => (scene.State, new(UiAction.Export)
            {
                Save = SaveFormat.Named(word) is { } format ? new(format.Document) : new(null, word),
            }),
            [var name] when AsKeys.TryGetValue(name, out var action) => (scene.State, new(action)),
            [var name] when WithWords.ContainsKey(name) =>
                (Say(scene, $"Which? {string.Join(", ", WithWords[name].Select(n => n.Trim()))}."), null),
            _ => (Say(scene, $"There is no :{words[0]}. Try {string.Join(", ", Names)}."), null),
        };
    }

    static (string Before, string Last) Split(string text)
    {
        var blank = text.LastIndexOf(' ');
        return (text[..(blank + 1)], text[(blank + 1)..]);
    }

    static ImmutableArray<string> Candidates(string before) => before.Length == 0 ? Names
        : WithWords.TryGetValue(before.Split(' ')[0], out var words) ? words : [];

    static ViewState Min(Scene scene, string number) => number == "?"
        ? Say(scene with { State = scene.State with { Min = null } }, "The assumption about MinThreads is removed.")
        : int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var min) && min is > 0 and <= short.MaxValue
            ? Say(scene with { State = scene.State with { Min = min } },
                $"MinThreads is assumed to be {Format.Count(min)}, on the screen and in what-ifs. The header marks this value with *.")
            : Say(scene, $"'{number}' is not a number of threads from 1 to 32 767.");

    static ViewState Theme(Scene scene, string name) => WithWords["theme"].Contains(name)
        ? scene.State with
        {
            Looks = scene.State.Looks with { Theme = name == "16" ? ThemeMode.Sixteen : Enum.Parse<ThemeMode>(name, ignoreCase: true) },
        }
        : Say(scene, $"There is no theme '{name}'. Choose dark, light, 16 or mono.");

    static ViewState Glyphs(Scene scene, string name) => WithWords["glyphs"].Contains(name)
        ? scene.State with { Looks = scene.State.Looks with { Glyphs = Enum.Parse<GlyphMode>(name, ignoreCase: true) } }
        : Say(scene, $"There are no glyphs '{name}'. Choose braille, block or ascii.");

    static (ViewState State, KeyCommand? KeyCommand) Speed(Scene scene, string text) => ReplaySpeeds.Parse(text) is { } speed
        ? (scene.State, new(UiAction.PlayPause) { Speed = speed })
        : (Say(scene, $"'{text}' is not a speed. Write 0.1 to 100, or 'max'."), null);

    static (ViewState State, KeyCommand? KeyCommand) WhatIf(Scene scene, string text) => WhatIfChoice.Parse(text) is { } change
        ? (scene.State, new(UiAction.WhatIf) { Change = change })
        : (Say(scene, $"'{text}' is not a change. {Changes}"), null);

    static ViewState Say(Scene scene, string text) => scene.State with { Flash = text };
}

/// <summary>
/// The command <c>goto</c> for a moment or an event. A live watch shows the moment or the event. A replay continues from the moment,
/// forwards or back; an event is shown without moving the position of the replay.
/// </summary>
static class GotoCommand
{
    public const string Usage =
        "Go where? -12s (back), +30s (on, in a replay), 00:12 or 12.5s (since the start), start, end, or #9 (an event).";

    /// <summary>Maximum time that the command accepts, days: more than any capture lasts, and low enough to avoid overflow.</summary>
    const int MostDays = 1000;

    public static (ViewState State, KeyCommand? KeyCommand) Run(Scene scene, int columns, string where)
    {
        if (where is ['#', .. var number])
        {
            return (Event(scene, columns, number), null);
        }

        if (where is "end")
        {
            return (Navigation.Follow(scene.State), null);
        }

        if (Moment(scene, where) is not { } moment)
        {
            return (Say(scene, $"'{where}' is not a time. {Usage}"), null);
        }

        if (scene.State.Playing is not null)
        {
            return (OnTimeline(scene), new(UiAction.PlayPause) { SeekMs = moment });
        }

        var at = scene.Timeline.Start.PlusMs(moment);
        return (Navigation.Around(scene with { State = OnTimeline(scene) }, columns, at), null);
    }

    static ViewState OnTimeline(Scene scene) =>
        scene.State.View is ViewName.Overview or ViewName.Climbing ? scene.State : Navigation.Open(scene.State, ViewName.Overview);

    static ViewState Event(Scene scene, int columns, string number) =>
        int.TryParse(number, CultureInfo.InvariantCulture, out var n) && scene.Events.FirstOrDefault(g => g.Number == n) is { } delay
            ? Navigation.Show(scene, columns, delay)
            : Say(scene, $"There is no event #{number}.");

    // Returns the moment in milliseconds after the start of the capture; null if the text is not a time.
    static double? Moment(Scene scene, string where)
    {
        var now = scene.Timeline.Now.MsSince(scene.Timeline.Start);
        return where == "start" ? 0 : Seconds(where.TrimStart('-', '+')) is not { } seconds ? null : where[0] switch
        {
            '-' => now - seconds * 1000,
            '+' => now + seconds * 1000,
            _ => seconds * 1000,
        };
    }

    // Parses 12, 12.5, 12s, 01:12 and 1:01:12.5 into seconds; returns null for any other text.
    static double? Seconds(string text)
    {
        var sum = 0.0;
        foreach (var part in text.TrimEnd('s').Split(':'))
        {
            if (!double.TryParse(part, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var value))
            {
                return null;
            }

            sum = sum * 60 + value;
        }

        return sum < TimeSpan.FromDays(MostDays).TotalSeconds ? sum : null;
    }

    static ViewState Say(Scene scene, string text) => scene.State with { Flash = text };
}

/// <summary>A command in the command palette.</summary>
/// <param name="Name">Name of the command; a part of the name is enough to find the command.</param>
/// <param name="Keys">Key of the command, or an example of how to type the command.</param>
/// <param name="WhyNot">Why the command is not possible now; null if the command is possible.</param>
sealed record PaletteRow(string Name, string Keys, string? WhyNot)
{
    /// <summary>Action of the command; null if the command needs arguments.</summary>
    public UiAction? Action { get; init; }

    /// <summary>Text to which the user adds the arguments, such as <c>goto </c>; empty if the command needs none.</summary>
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

    /// <summary>Returns commands whose names contain all words, and commands with arguments that begin with the first word.</summary>
    public static ImmutableArray<PaletteRow> Find(string text, Scene scene, ScreenCalls links)
    {
        var words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return
        [
            .. Names.Where(n => Holds(n.Name, words)).Select(n => new PaletteRow(
                n.Name, Bindings.KeysOf(n.Action), CommandAvailability.Refusal(new(n.Action), scene, links)) { Action = n.Action }),
            .. WithWords.Where(w => words.Length == 0 || w.Name.StartsWith(words[0], StringComparison.OrdinalIgnoreCase))
                .Select(w => new PaletteRow(w.Name + " ...", w.Example, null) { Typed = w.Name + " " }),
        ];
    }

    static bool Holds(string name, string[] words) => words.All(w => name.Contains(w, StringComparison.OrdinalIgnoreCase));
}

/// <summary>A kind of file that the screen saves.</summary>
/// <param name="Document">The name of the document in <c>--format</c>; null for a recording.</param>
/// <param name="Says">The purpose of the file, in words for the user.</param>
sealed record SaveFormat(string? Document, string Ending, string Says)
{
    public static ImmutableArray<SaveFormat> All { get; } =
    [
        new("text", ".txt", "the report as text"),
        new("html", ".html", "a page with charts, for a browser"),
        new("json", ".json", "the report for a program"),
        new(null, ".nettrace", "the buffered events: replay or report opens them"),
        new("svg", ".svg", "the timeline as a picture"),
        new("csv", ".csv", "the values over time, for a spreadsheet"),
        new("csv-gaps", "-gaps.csv", "one line for each injection delay"),
        new("csv-requests", "-requests.csv", "one line for each route"),
        new("perfetto", ".perfetto.json", "a trace for ui.perfetto.dev"),
        new("speedscope", ".speedscope.json", "the stacks for speedscope.app"),
    ];

    /// <summary>The document names of all formats; a recording has none.</summary>
    public static IEnumerable<string> Documents => All.Select(f => f.Document).OfType<string>();

    /// <summary>Returns the format with a document name; null if there is no such format.</summary>
    public static SaveFormat? Named(string word) => All.FirstOrDefault(f => f.Document == word);
}

/// <summary>A change that the what-if dialog offers; the user can also type other changes.</summary>
sealed record WhatIfChoice(WhatIfChange Change, string Note)
{
    /// <summary>Values of MinThreads to offer; users try round numbers first.</summary>
    static readonly ImmutableArray<int> RoundMins = [50, 100];

    /// <summary>Returns the changes to offer for a capture, most useful first.</summary>
    public static ImmutableArray<WhatIfChoice> Of(PoolReport report)
    {
        var target = report.Timeline.Target;
        var min = target.MinWorkers.Value ?? target.Processors.Value ?? 1;
        var offered = StandardWhatIfs.Offered(report, target.Processors.Value ?? min).ToArray();
        var advised = offered.FirstOrDefault(IsMinAlone)?.Min;
        var mins = RoundMins.Where(m => advised is not null && m > min && m != advised)
            .Select(m => new WhatIfChoice(new() { Min = m }, "more worker threads at once"));
        return
        [
            .. offered.SelectMany(c => IsMinAlone(c) ? mins.Prepend(new(c, NoteOf(c, report))) : [new WhatIfChoice(c, NoteOf(c, report))]),
            .. offered.Any(c => c.Processors is not null) ? Array.Empty<WhatIfChoice>()
                : [new(new() { Processors = 2 * (target.Processors.Value ?? min) }, "a larger machine")],
            .. offered.Any(c => c.Max is not null) ? Array.Empty<WhatIfChoice>()
                : [new(new() { Max = min }, "no more threads than MinThreads")],
            new(new() { Policy = PolicyKind.Native }, "the rules before .NET 6"),
            new(new() { Policy = PolicyKind.Clr35 }, "15 threads quickly, then slower"),
            new(new() { Policy = PolicyKind.Clr11 }, "one thread every 500 ms"),
        ];
    }

    static bool IsMinAlone(WhatIfChange change) => change is { Min: not null, Max: null };

    static string NoteOf(WhatIfChange change, PoolReport report) => change switch
    {
        { Min: not null } => report.Findings.Any(f => f.Remedies.Any(r => r.IsDoubtedMin))
            ? "workaround; no help with a lock" : "as the remedy advises",
        { Async: true } => "the cause removed: nothing blocks",
        _ => "a larger machine",
    };

    /// <summary>Parses the words after <c>:whatif</c>; null when the words name no change.</summary>
    public static WhatIfChange? Parse(string text)
    {
        var words = text.Split([' ', '=', ','], StringSplitOptions.RemoveEmptyEntries);
        var change = new WhatIfChange();
        for (var i = 0; i < words.Length; i++)
        {
            var next = i + 1 < words.Length ? words[i + 1] : "";
            var (read, used) = Read(change, words[i], next);
            if (read is null)
            {
                return null;
            }

            (change, i) = (read, i + used);
        }

        return change.IsNone ? null : change;
    }

    static (WhatIfChange? Change, int Used) Read(WhatIfChange change, string word, string next) => word switch
    {
        "min" when Number(next) is { } n => (change with { Min = n }, 1),
        "max" when Number(next) is { } n => (change with { Max = n }, 1),
        "processors" when Number(next) is { } n => (change with { Processors = n }, 1),
        "async" => (change with { Async = true }, 0),
        _ when Enum.TryParse<PolicyKind>(word, ignoreCase: true, out var policy) && Enum.IsDefined(policy) && !char.IsAsciiDigit(word[0]) =>
            (change with { Policy = policy }, 0),
        _ => (null, 0),
    };

    /// <summary>Parses a number of threads or processors, 1 to 32 767: the runtime counts worker threads in signed 16 bits.</summary>
    static int? Number(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var n) && n is > 0 and <= short.MaxValue ? n : null;
}
