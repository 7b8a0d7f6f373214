using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;

namespace Tpwatch.Screen.Views;

/// <summary>A field for a line of text; Enter does what is given.</summary>
sealed class LineField : TextField
{
    /// <param name="enter">What Enter does.</param>
    public LineField(Action enter)
    {
        Width = Dim.Fill();
        Accepting += (_, e) =>
        {
            // Else Enter would go on to the window or the dialog around the field.
            e.Handled = true;
            enter();
        };
    }
}
