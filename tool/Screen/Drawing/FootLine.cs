using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Drawing;

/// <summary>The last rows of the screen: what the last command led to, else the keys.</summary>
static class FootLine
{
    /// <summary>What the probe's key is offered for while items wait.</summary>
    public const string Offer = $"take stacks every 5 s (each a pause of {DepthPrice.BurstMs} ms at most)";

    /// <summary>A sentence that does not fit one line takes as many from the view as it needs.</summary>
    const int MostRows = 4;

    /// <summary>What is said, in lines; none where keys are shown.</summary>
    public static IReadOnlyList<string> Said(ViewState state, int width) =>
        state.Flash is { } flash ? TextFit.Wrap(flash, width - 2, MostRows) : [];
}
