using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Drawing;

/// <summary>The last rows of the screen: the result of the last command, else the keys.</summary>
static class FootLine
{
    /// <summary>The text that offers the key for stack samples while items wait.</summary>
    public const string SnapshotExchange = $"take stacks every 5 s (each a pause of {DepthPrice.BurstMs} ms at most)";

    /// <summary>Maximum number of rows of a long sentence; the view has fewer rows then.</summary>
    const int MostRows = 4;

    /// <summary>Returns the result of the last command in lines; none while keys are shown.</summary>
    public static IReadOnlyList<string> Said(ViewState state, int width) =>
        state.Flash is { } flash ? TextFit.Wrap(flash, width - 2, MostRows) : [];
}
