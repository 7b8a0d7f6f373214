using Terminal.Gui.ViewBase;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>Base class of the six views of the screen: name, tab, table and text.</summary>
abstract class Page : View
{
    /// <summary>Minimum width in columns at which a text stands right of its table instead of below the table.</summary>
    protected const int WideScreen = 140;

    /// <summary>A table with text below gets at most the available rows divided by this number.</summary>
    const int TableShare = 3;

    protected Page(ScreenModel model, Func<Looks> looks)
    {
        (Model, LooksNow, CanFocus) = (model, looks, false);
        (Width, Height) = (Dim.Fill(), Dim.Fill());
    }

    public abstract ViewName Name { get; }

    /// <summary>The name on the tab of a wide screen.</summary>
    public abstract string TabName { get; }

    /// <summary>The name on the tab of a narrow screen.</summary>
    public virtual string Brief => TabName;

    /// <summary>The table whose cursor the keys move; null where there is none.</summary>
    public virtual View? Rows => null;

    /// <summary>The text that the page keys scroll; null where there is none.</summary>
    public virtual View? Scrolled => null;

    protected ScreenModel Model { get; }

    protected Func<Looks> LooksNow { get; }

    /// <summary>Returns the count on the tab, such as the number of rows; may be empty.</summary>
    public virtual string Count(Scene scene) => "";

    /// <summary>Returns a short text for the tab if the view needs the user's attention; else empty.</summary>
    public virtual string Alert(Scene scene) => "";

    /// <summary>Updates the view from a new scene.</summary>
    public abstract void Take(Scene scene);

    /// <summary>Sorts the table by the next sort column; does nothing in a view without sorting.</summary>
    public virtual void Sort()
    {
    }

    protected DrawingView Drawing(Action<Pane, Scene> draw) => new(LooksNow, pane =>
    {
        if (Model.Scene is { } scene)
        {
            draw(pane, scene);
        }
    })
    { Width = Dim.Fill(), Height = 1 };

    /// <summary>Creates a row with a horizontal rule and a title.</summary>
    protected DrawingView TitleRow(Func<Scene, string> title) => Drawing((pane, scene) => TextBlock.Title(pane, title(scene)));

    protected DrawingView Line(Func<Scene, int, string> text, Role role = Role.Text) =>
        Drawing((pane, scene) => pane.Put(1, 0, text(scene, pane.Width - 2), role));

    /// <summary>Sets position and size of a view if they differ from the present ones, and hides the view at height 0.</summary>
    protected static void Place(View view, int x, int y, int width, int height)
    {
        (width, height) = (Math.Max(0, width), Math.Max(0, height));
        if (view.Frame != new System.Drawing.Rectangle(x, y, width, height) || view.Visible != (height > 0))
        {
            (view.X, view.Y, view.Width, view.Height, view.Visible) = (x, y, width, height, height > 0);
        }
    }

    /// <summary>Returns the number of rows of a table with text below, including the table's heading.</summary>
    protected static int RowsOf(int count, int room) => Math.Min(count + 1, Math.Max(3, room / TableShare));
}
