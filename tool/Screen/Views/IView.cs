using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>A view: a pure function of what is known and chosen, drawn on the part of the grid between status line and hints.</summary>
interface IView
{
    ViewName Name { get; }

    /// <summary>As the tabs of a wide screen spell it.</summary>
    string Title { get; }

    /// <summary>The same where there is little room.</summary>
    string Brief { get; }

    /// <summary>What stands behind the title, such as a number of rows; may be empty.</summary>
    string Count(Scene scene);

    /// <summary>A word behind that where the view shows something to act on; empty where nothing does.</summary>
    string Alert(Scene scene) => "";

    void Draw(Pane pane, Scene scene);
}
