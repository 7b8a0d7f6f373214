using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Frame;

/// <summary>
/// When to draw, the same for every front end: after a key that was understood, after news, after a change of size, and never
/// otherwise.
/// </summary>
sealed class FrameLoop(IUiApp app)
{
    bool stale = true;
    CellGrid? shown;

    /// <summary>What the other side shows, as far as it can be trusted.</summary>
    public CellGrid? Shown => shown;

    /// <summary>Whether the app was left by a key.</summary>
    public bool HasQuit { get; private set; }

    public void OnKey(KeyPress key)
    {
        switch (app.OnKey(key))
        {
            case Reply.Handled: stale = true; break;
            case Reply.Redraw: Distrust(); break;
            case Reply.Quit: HasQuit = true; break;
        }
    }

    /// <summary>What is to be put on the clipboard of the other side, once.</summary>
    public string? TakeClip() => app.TakeClip();

    public void Tick() => stale |= app.Tick();

    /// <summary>The other side was cleared or drawn over: the next frame is a whole one.</summary>
    public void Distrust()
    {
        shown = null;
        stale = true;
    }

    /// <summary>The next frame, or null when there is nothing new to see.</summary>
    public CellGrid? NextFrame(int width, int height)
    {
        var resized = shown is null || shown.Width != width || shown.Height != height;
        if (!stale && !resized)
        {
            return null;
        }

        stale = false;
        var frame = app.Render(width, height);
        return !resized && frame.SameAs(shown!) ? null : frame;
    }

    /// <summary>The frame has arrived on the other side.</summary>
    public void Put(CellGrid frame) => shown = frame;
}
