using Tpwatch.Text;

namespace Tpwatch.Screen.State;

/// <summary>The events as a list shows them, narrowed as chosen, the newest first.</summary>
static class GapRows
{
    public static ImmutableArray<Gap> Of(Scene scene) =>
    [
        .. scene.Events.Where(g => scene.State.List.Shows(g.Verdict) && Filter.Matches(scene.State.List.Filter, g))
            .OrderByDescending(g => g.Number),
    ];

    /// <summary>The moves of hill climbing, the newest first.</summary>
    public static ImmutableArray<Gap> Climbing(Scene scene) =>
        [.. scene.Events.Where(g => g.IsClimbing && !(scene.State.Show.MovesOnly && g.GoalBefore == g.GoalAfter)).Reverse()];

    /// <summary>Index of the selected row; the first when it is not among them, -1 when there are none.</summary>
    public static int Cursor(ImmutableArray<Gap> rows, Scene scene) => rows.IsEmpty ? -1 : Math.Max(0, IndexOf(rows, scene));

    /// <summary>Index of the selected row; -1 when another event is selected, the first when none is.</summary>
    public static int IndexOf(ImmutableArray<Gap> rows, Scene scene) =>
        rows.IsEmpty ? -1 : scene.State.Selected is { } number ? rows.ToList().FindIndex(g => g.Number == number) : 0;
}
