using Tpwatch.Text;

namespace Tpwatch.Screen.State;

/// <summary>Selects the rows of the lists of events (injection delays and adjustments), filtered as the user chose, newest first.</summary>
static class DelayRows
{
    public static ImmutableArray<InjectionDelay> Of(Scene scene) =>
    [
        .. scene.Events.Where(g => scene.State.List.Shows(g.Verdict) && Filter.Matches(scene.State.List.Filter, g))
            .OrderByDescending(g => g.Number),
    ];

    /// <summary>Returns the adjustments by hill climbing, newest first.</summary>
    public static ImmutableArray<InjectionDelay> Climbing(Scene scene) =>
        [.. scene.Events.Where(g => g.IsClimbing && !(scene.State.Show.MovesOnly && g.TargetThreadsBefore == g.TargetThreadsAfter))
            .Reverse()];

    /// <summary>Index of the selected event; 0 when the event has no row, -1 without rows.</summary>
    public static int Cursor(ImmutableArray<InjectionDelay> rows, Scene scene) => rows.IsEmpty ? -1 : Math.Max(0, IndexOf(rows, scene));

    /// <summary>Index of the selected event; -1 when the event has no row or there are no rows, 0 when no event is selected.</summary>
    public static int IndexOf(ImmutableArray<InjectionDelay> rows, Scene scene) =>
        rows.IsEmpty ? -1 : scene.State.Selected is { } number ? rows.ToList().FindIndex(g => g.Number == number) : 0;
}
