using Terminal.Gui.App;
using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>
/// A dialog over the screen, which goes on below it. Esc closes it; arrows and page keys that its field does not take move its rows.
/// </summary>
abstract class Sheet : Dialog
{
    SessionToken? session;

    /// <param name="looks">The looks of the moment.</param>
    /// <param name="title">What it is for, and its keys.</param>
    /// <param name="percent">Its size, percent of the screen.</param>
    protected Sheet(Looks looks, string title, int percent)
    {
        Title = title;
        (Width, Height, ShadowStyle) = (Dim.Percent(percent), Dim.Percent(percent), ShadowStyles.None);
        BorderStyle = Terminal.Gui.Drawing.LineStyle.Single;
        Arrangement = ViewArrangement.Fixed;
        SetScheme(looks[Role.Text]);
    }

    /// <summary>The view that arrows and page keys move.</summary>
    protected virtual View? Rows => null;

    /// <summary>Opens it over what is shown.</summary>
    public void Show(IApplication app) => session = app.Begin(this);

    /// <summary>Closes it.</summary>
    public void Close()
    {
        if (session is { } open)
        {
            session = null;
            Closed();
            App?.End(open);
        }
    }

    /// <summary>What is left behind.</summary>
    protected virtual void Closed()
    {
    }

    /// <summary>Fills the views for the room that they have; called when they have been laid out.</summary>
    protected abstract void Fill();

    /// <inheritdoc/>
    protected override void OnSubViewsLaidOut(LayoutEventArgs args)
    {
        base.OnSubViewsLaidOut(args);
        Fill();
    }

    /// <inheritdoc/>
    protected override bool OnKeyDown(Key key)
    {
        if (key == Key.Esc)
        {
            Close();
            return true;
        }

        Command? move = key == Key.CursorUp ? Command.Up : key == Key.CursorDown ? Command.Down
            : key == Key.PageUp ? Command.PageUp : key == Key.PageDown ? Command.PageDown : null;
        if (move is { } command && Rows is { } rows)
        {
            rows.InvokeCommand(command);
            return true;
        }

        return base.OnKeyDown(key);
    }
}
