using Tpwatch.Text;

namespace Tpwatch.Screen.State;

/// <summary>The rows of the lists of events (injection delays and adjustments): filtered as chosen, newest first.</summary>
static class GapRows
{
    public static ImmutableArray<Gap> Of(Scene scene) =>
    [
        .. scene.Events.Where(g => scene.State.List.Shows(g.Verdict) && Filter.Matches(scene.State.List.Filter, g))
            .OrderByDescending(g => g.Number),
    ];

    /// <summary>The adjustments by hill climbing, newest first.</summary>
    public static ImmutableArray<Gap> Climbing(Scene scene) =>
        [.. scene.Events.Where(g => g.IsClimbing && !(scene.State.Show.MovesOnly && g.GoalBefore == g.GoalAfter)).Reverse()];

    /// <summary>Index of the selected event; 0 when it is not in the list, -1 without rows.</summary>
    public static int Cursor(ImmutableArray<Gap> rows, Scene scene) => rows.IsEmpty ? -1 : Math.Max(0, IndexOf(rows, scene));

    /// <summary>Index of the selected event; -1 when it is not in the list, 0 when no event is selected.</summary>
    public static int IndexOf(ImmutableArray<Gap> rows, Scene scene) =>
        rows.IsEmpty ? -1 : scene.State.Selected is { } number ? rows.ToList().FindIndex(g => g.Number == number) : 0;
}
