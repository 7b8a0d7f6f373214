using Terminal.Gui.Input;

namespace Tpwatch.Screen.Views;

/// <summary>Clicks of the left mouse button.</summary>
static class Clicks
{
    /// <summary>
    /// Any click of a quick series. The library reports the second and third click with other flags, even at another place; on a heading, a
    /// tab and a key each click counts.
    /// </summary>
    public const MouseFlags Any = MouseFlags.LeftButtonClicked | MouseFlags.LeftButtonDoubleClicked | MouseFlags.LeftButtonTripleClicked;
}
