using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;
using Tpwatch.Screen.Widgets;

namespace Tpwatch.Screen.Frame;

/// <summary>The screen while a process is waited for: how long already, what the last look found, when it gives up.</summary>
sealed class WaitingApp : IUiApp
{
    readonly WaitingFor what;
    readonly Look look;
    readonly TimeProvider time;
    readonly long began;
    (long Seconds, string LastTry) shown;

    public WaitingApp(WaitingFor what, Look look, TimeProvider time)
    {
        (this.what, this.look, this.time) = (what, look, time);
        began = time.GetTimestamp();
    }

    public bool Tick()
    {
        var before = shown;
        shown = ((long)time.GetElapsedTime(began).TotalSeconds, what.LastTry);
        return shown != before;
    }

    public CellGrid Render(int width, int height)
    {
        var grid = new CellGrid(width, height);
        Notices.WaitingFor(new Pane(grid, look), what, shown.Seconds * 1000.0);
        return grid;
    }

    public Reply OnKey(KeyPress key) => Bindings.Of(key, ViewName.Overview) switch
    {
        UiAction.Quit => Reply.Quit,
        UiAction.Redraw => Reply.Redraw,
        _ => Reply.Ignored,
    };
}
