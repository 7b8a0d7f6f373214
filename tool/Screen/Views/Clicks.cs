using Terminal.Gui.Input;

namespace Tpwatch.Screen.Views;

/// <summary>Clicks of the left mouse button.</summary>
static class Clicks
{
    /// <summary>
    /// Flags of any click in a quick series, each of which acts on a heading, a tab or a key. Terminal.Gui reports the second and third
    /// click with other flags, even at another place.
    /// </summary>
    public const MouseFlags Any = MouseFlags.LeftButtonClicked | MouseFlags.LeftButtonDoubleClicked | MouseFlags.LeftButtonTripleClicked;
}
