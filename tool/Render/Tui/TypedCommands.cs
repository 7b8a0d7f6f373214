using System.Collections.Immutable;
using System.Globalization;

namespace Tpwatch.Render.Tui;

/// <summary>The commands after a colon.</summary>
internal static class TypedCommands
{
    /// <summary>Names of those that a key does as well.</summary>
    static readonly ImmutableSortedDictionary<string, UiAction> AsKeys = new Dictionary<string, UiAction>
    {
        ["overview"] = UiAction.ShowOverview, ["injections"] = UiAction.ShowInjections, ["stacks"] = UiAction.ShowStacks,
        ["latency"] = UiAction.ShowLatency, ["hillclimb"] = UiAction.ShowClimbing, ["findings"] = UiAction.ShowFindings,
        ["copy"] = UiAction.Copy, ["save"] = UiAction.Save, ["follow"] = UiAction.Follow, ["freeze"] = UiAction.Freeze,
        ["starved"] = UiAction.FitStarved, ["help"] = UiAction.Help, ["quit"] = UiAction.Quit,
    }.ToImmutableSortedDictionary(StringComparer.Ordinal);

    /// <summary>All names.</summary>
    public static ImmutableArray<string> Names { get; } = [.. AsKeys.Keys.Append("goto").Order(StringComparer.Ordinal)];

    /// <summary>What begins like this, for the line beneath what is typed.</summary>
    public static IEnumerable<string> Beginning(string text) => Names.Where(n => n.StartsWith(text, StringComparison.Ordinal));

    /// <summary>As much as all names that begin like this share.</summary>
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

        return names is ["goto"] ? "goto " : shared;
    }

    public static (ViewState State, UiAction? Action) Run(Scene scene, int columns, string text)
    {
        var words = text.Split(' ', 2, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return words switch
        {
            [] => (scene.State, null),
            ["goto", var where] => (Goto(scene, columns, where), null),
            ["goto"] => (Say(scene, "Where to? -12s back from now, 00:12 or 12.5s since the start, #9 for an event."), null),
            [var name] when AsKeys.TryGetValue(name, out var action) => (scene.State, action),
            _ => (Say(scene, $"There is no :{words[0]}. Try {string.Join(", ", Names)}."), null),
        };
    }

    static ViewState Goto(Scene scene, int columns, string where)
    {
        if (where is ['#', .. var number])
        {
            return int.TryParse(number, CultureInfo.InvariantCulture, out var n) && scene.Events.FirstOrDefault(g => g.Number == n) is { } gap
                ? Navigation.Show(scene, columns, gap)
                : Say(scene, $"There is no event {where}.");
        }

        if (Seconds(where.TrimStart('-')) is not { } seconds)
        {
            return Say(scene, $"'{where}' is no time: -12s back from now, 00:12 or 12.5s since the start, #9 for an event.");
        }

        var at = where[0] == '-' ? scene.Timeline.Now.PlusMs(-seconds * 1000) : scene.Timeline.Start.PlusMs(seconds * 1000);
        var shown = scene.State.View is ViewName.Overview or ViewName.Climbing ? scene.State : Navigation.Open(scene.State, ViewName.Overview);
        return Navigation.Around(scene with { State = shown }, columns, at);
    }

    // 12, 12.5, 12s, 01:12, 1:01:12.5
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

    /// <summary>More than any capture holds; keeps the arithmetic within its bounds.</summary>
    const int MostDays = 1000;

    static ViewState Say(Scene scene, string text) => scene.State with { Flash = text };
}
