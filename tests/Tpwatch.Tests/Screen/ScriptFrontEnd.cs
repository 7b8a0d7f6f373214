using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Frame;
using Tpwatch.Screen.FrontEnds;
using Tpwatch.Screen.Keys;

namespace Tpwatch.Tests.Screen;

/// <summary>A front end without a terminal: steps in, grids out, time only passes when a step says so.</summary>
sealed class ScriptFrontEnd(IEnumerable<Action<ScriptFrontEnd>> steps) : IFrontEnd
{
    FrameLoop? loop;

    public int Width { get; private set; }

    public int Height { get; private set; }

    /// <summary>Every frame that was drawn.</summary>
    public List<CellGrid> Frames { get; } = [];

    /// <summary>What was put on the clipboard, one entry each time.</summary>
    public List<string> Clips { get; } = [];

    public bool HasQuit => loop!.HasQuit;

    public int Run(IUiApp app, FrontEndOptions options, CancellationToken stop)
    {
        loop = new FrameLoop(app);
        loop.Tick();
        foreach (var step in steps)
        {
            step(this);
            if (stop.IsCancellationRequested || loop.HasQuit)
            {
                break;
            }

            Draw();
        }

        return 0;
    }

    public void Resize(int width, int height) => (Width, Height) = (width, height);

    public void Press(KeyPress key)
    {
        loop!.OnKey(key);
        if (loop.TakeClip() is { } text)
        {
            Clips.Add(text);
        }
    }

    public void Tick() => loop!.Tick();

    void Draw()
    {
        if (loop!.NextFrame(Width, Height) is { } frame)
        {
            Frames.Add(frame);
            loop.Put(frame);
        }
    }
}
