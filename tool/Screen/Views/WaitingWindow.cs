using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>The screen while tpwatch waits for a process: the time waited, the result of the last search, and the limit.</summary>
sealed class WaitingWindow : Runnable
{
    readonly WaitingFor what;
    readonly TimeProvider time;
    readonly long began;
    readonly DrawingView picture;
    (long Seconds, string LastTry) shown;

    /// <param name="what">The process that tpwatch waits for.</param>
    /// <param name="look">Colours and glyphs.</param>
    /// <param name="time">Measures the time waited.</param>
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

    /// <summary>Draws the screen again when the seconds or the result of the last search have changed.</summary>
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
