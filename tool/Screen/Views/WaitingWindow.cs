using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>The screen while a process is waited for: how long already, what the last look found, when it gives up.</summary>
sealed class WaitingWindow : Runnable
{
    readonly WaitingFor what;
    readonly TimeProvider time;
    readonly long began;
    readonly DrawingView picture;
    (long Seconds, string LastTry) shown;

    /// <param name="what">What is waited for.</param>
    /// <param name="look">Colours and glyphs.</param>
    /// <param name="time">Counts the wait.</param>
    public WaitingWindow(WaitingFor what, Look look, TimeProvider time)
    {
        (this.what, this.time, began) = (what, time, time.GetTimestamp());
        var looks = new Looks(look);
        (Width, Height, CanFocus) = (Dim.Fill(), Dim.Fill(), true);
        SetScheme(looks[Role.Text]);
        picture = new(() => looks, pane => Notices.WaitingFor(pane, this.what, shown.Seconds * 1000.0))
        {
            Width = Dim.Fill(), Height = Dim.Fill(),
        };
        Add(picture);
    }

    /// <summary>Looks for news.</summary>
    public void Tick()
    {
        var before = shown;
        shown = ((long)time.GetElapsedTime(began).TotalSeconds, what.LastTry);
        if (shown != before)
        {
            picture.SetNeedsDraw();
        }
    }

    /// <inheritdoc/>
    protected override bool OnKeyDown(Key key)
    {
        if (Bindings.Of(key, ViewName.Overview) == UiAction.Quit)
        {
            App?.RequestStop();
        }

        return true;
    }
}
