using Terminal.Gui.App;
using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>
/// Base class of the dialogs. The screen below a dialog goes on. Esc closes the dialog; arrow and page keys that the dialog's field does
/// not use move the dialog's rows.
/// </summary>
abstract class Sheet : Dialog
{
    SessionToken? session;

    /// <param name="looks">The present colours and glyphs.</param>
    /// <param name="title">The purpose of the dialog and its keys.</param>
    /// <param name="percent">Width and height, percent of the screen.</param>
    protected Sheet(Looks looks, string title, int percent)
    {
        Title = title;
        (Width, Height, ShadowStyle) = (Dim.Percent(percent), Dim.Percent(percent), ShadowStyles.None);
        BorderStyle = Terminal.Gui.Drawing.LineStyle.Single;
        Arrangement = ViewArrangement.Fixed;
        SetScheme(looks[Role.Text]);
    }

    /// <summary>The view that arrow and page keys move.</summary>
    protected virtual View? Rows => null;

    /// <summary>Opens the dialog.</summary>
    public void Show(IApplication app) => session = app.Begin(this);

    /// <summary>Closes the dialog.</summary>
    public void Close()
    {
        if (session is { } open)
        {
            session = null;
            Closed();
            App?.End(open);
        }
    }

    /// <summary>Called when the dialog closes.</summary>
    protected virtual void Closed()
    {
    }

    /// <summary>Fills the dialog's views; called after each layout, when their sizes are known.</summary>
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
