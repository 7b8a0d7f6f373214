using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Commands;

/// <summary>
/// The command <c>goto</c>: a moment or an event. A live observation shows it; a replay goes on from a moment, forwards or back, and shows
/// an event without leaving its place.
/// </summary>
static class Goto
{
    public const string Usage =
        "Go where? -12s (back), +30s (on, in a replay), 00:12 or 12.5s (since the start), start, end, or #9 (an event).";

    /// <summary>More than any capture holds; keeps the arithmetic within its bounds.</summary>
    const int MostDays = 1000;

    public static (ViewState State, Wish? Wish) Run(Scene scene, int columns, string where)
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
        int.TryParse(number, CultureInfo.InvariantCulture, out var n) && scene.Events.FirstOrDefault(g => g.Number == n) is { } gap
            ? Navigation.Show(scene, columns, gap)
            : Say(scene, $"There is no event #{number}.");

    // Milliseconds after the start.
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

    static ViewState Say(Scene scene, string text) => scene.State with { Flash = text };
}
