using Terminal.Gui.Input;

namespace Tpwatch.Screen.Views;

/// <summary>Clicks of the left button.</summary>
static class Clicks
{
    /// <summary>
    /// Of clicks in a row, wherever they are, the library tells the second and third by other names. On a heading, a tab and a key each of
    /// them counts.
    /// </summary>
    public const MouseFlags Any = MouseFlags.LeftButtonClicked | MouseFlags.LeftButtonDoubleClicked | MouseFlags.LeftButtonTripleClicked;
}
