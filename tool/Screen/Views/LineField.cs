using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;

namespace Tpwatch.Screen.Views;

/// <summary>A field for one line of text, with an action for Enter.</summary>
sealed class LineField : TextField
{
    /// <param name="enter">The action of Enter.</param>
    public LineField(Action enter)
    {
        Width = Dim.Fill();
        Accepting += (_, e) =>
        {
            // Otherwise the window or dialog around the field would also handle the Enter key.
            e.Handled = true;
            enter();
        };
    }
}
