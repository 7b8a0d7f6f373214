using Terminal.Gui.ViewBase;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>One of the six views: what it is called, and the views of the library that it is made of.</summary>
abstract class Page : View
{
    /// <summary>From here on text stands beside a table, not below.</summary>
    protected const int WideScreen = 140;

    /// <summary>Share of the rows that a table may take, if there is text below.</summary>
    const int TableShare = 3;

    /// <param name="model">What is shown.</param>
    /// <param name="looks">The looks of the moment.</param>
    protected Page(ScreenModel model, Func<Looks> looks)
    {
        (Model, LooksNow, CanFocus) = (model, looks, false);
        (Width, Height) = (Dim.Fill(), Dim.Fill());
    }

    public abstract ViewName Name { get; }

    /// <summary>As the tabs of a wide screen spell it.</summary>
    public abstract string TabName { get; }

    /// <summary>The same where there is little room.</summary>
    public virtual string Brief => TabName;

    /// <summary>The table whose cursor the keys move; null where there is none.</summary>
    public virtual View? Rows => null;

    /// <summary>The text that the page keys scroll; null where there is none.</summary>
    public virtual View? Scrolled => null;

    /// <summary>The model behind it.</summary>
    protected ScreenModel Model { get; }

    /// <summary>The looks of the moment.</summary>
    protected Func<Looks> LooksNow { get; }

    /// <summary>What stands behind the title, such as a number of rows; may be empty.</summary>
    public virtual string Count(Scene scene) => "";

    /// <summary>A word behind that where the view shows something to act on; empty where nothing does.</summary>
    public virtual string Alert(Scene scene) => "";

    /// <summary>Takes over what is known now.</summary>
    public abstract void Take(Scene scene);

    /// <summary>Sorts the table by its next order; nothing where that has no meaning.</summary>
    public virtual void Sort()
    {
    }

    /// <summary>A view that draws from the scene.</summary>
    protected DrawingView Drawing(Action<Pane, Scene> draw) => new(LooksNow, pane =>
    {
        if (Model.Scene is { } scene)
        {
            draw(pane, scene);
        }
    })
    { Width = Dim.Fill(), Height = 1 };

    /// <summary>A row across with a title on it.</summary>
    protected DrawingView TitleRow(Func<Scene, string> title) => Drawing((pane, scene) => TextBlock.Title(pane, title(scene)));

    /// <summary>A line of text.</summary>
    protected DrawingView Line(Func<Scene, int, string> text, Role role = Role.Text) =>
        Drawing((pane, scene) => pane.Put(1, 0, text(scene, pane.Width - 2), role));

    /// <summary>Puts a view at a place, if that is another than before.</summary>
    protected static void Place(View view, int x, int y, int width, int height)
    {
        (width, height) = (Math.Max(0, width), Math.Max(0, height));
        if (view.Frame != new System.Drawing.Rectangle(x, y, width, height) || view.Visible != (height > 0))
        {
            (view.X, view.Y, view.Width, view.Height, view.Visible) = (x, y, width, height, height > 0);
        }
    }

    /// <summary>Rows of a table that has text below, its heading included.</summary>
    protected static int RowsOf(int count, int room) => Math.Min(count + 1, Math.Max(3, room / TableShare));
}
