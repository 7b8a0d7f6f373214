using Tpwatch.Screen.State;

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
        ["quit"] = UiAction.Quit, ["export"] = UiAction.Export, ["whatif"] = UiAction.WhatIf,
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
            ["goto", var where] => Goto.Run(scene, columns, where),
            ["goto"] => (Say(scene, Goto.Usage), null),
            ["min", var number] => (Min(scene, number), null),
            ["min"] => (Say(scene, "How many? :min 50 assumes that MinThreads is 50. :min ? removes the assumption."), null),
            ["theme", var name] => (Theme(scene, name), null),
            ["glyphs", var name] => (Glyphs(scene, name), null),
            ["speed", var speed] => Speed(scene, speed),
            ["whatif", var change] => WhatIf(scene, change),
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

    static (ViewState State, KeyCommand? KeyCommand) Speed(Scene scene, string text) => PlayText.Parse(text) is { } speed
        ? (scene.State, new(UiAction.PlayPause) { Speed = speed })
        : (Say(scene, $"'{text}' is not a speed. Write 0.1 to 100, or 'max'."), null);

    static (ViewState State, KeyCommand? KeyCommand) WhatIf(Scene scene, string text) => WhatIfChoice.Parse(text) is { } change
        ? (scene.State, new(UiAction.WhatIf) { Change = change })
        : (Say(scene, $"'{text}' is not a change. Write one or more of 'min 50', 'max 20', 'processors 16', async, "
            + "native, clr35, clr11, rotor."),
            null);

    static ViewState Say(Scene scene, string text) => scene.State with { Flash = text };
}

/// <summary>
/// The command <c>goto</c> for a moment or an event. A live watch shows the moment or the event. A replay continues from the moment,
/// forwards or back; an event is shown without moving the position of the replay.
/// </summary>
static class Goto
{
    public const string Usage =
        "Go where? -12s (back), +30s (on, in a replay), 00:12 or 12.5s (since the start), start, end, or #9 (an event).";

    /// <summary>Maximum time accepted, days: more than any capture lasts, and low enough to avoid overflow.</summary>
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

    // Returns the moment in milliseconds after the start of the capture.
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

    // Parses 12, 12.5, 12s, 01:12 and 1:01:12.5 into seconds.
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
