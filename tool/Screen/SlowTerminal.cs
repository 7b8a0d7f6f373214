using System.Collections.Concurrent;
using Terminal.Gui.App;
using Terminal.Gui.Drivers;

namespace Tpwatch.Screen;

/// <summary>
/// A terminal that takes its bytes slowly, or none. The library writes a frame on the thread that serves keys (2.5.0), so a key that quits
/// would wait until the terminal has taken the frame. Where one waits, or the run shall end, what the terminal has not taken is dropped.
/// </summary>
sealed class SlowTerminal : IDisposable
{
    /// <summary>A frame that takes longer waits for the terminal.</summary>
    static readonly TimeSpan LongestFrame = TimeSpan.FromMilliseconds(150);

    static readonly TimeSpan Look = TimeSpan.FromMilliseconds(250);

    readonly IApplication app;
    readonly TimeProvider time;
    readonly CancellationToken stop;
    readonly ITimer timer;
    long began;

    /// <param name="app">The application, initialised.</param>
    /// <param name="time">Measures a frame.</param>
    /// <param name="stop">The run shall end.</param>
    public SlowTerminal(IApplication app, TimeProvider time, CancellationToken stop)
    {
        (this.app, this.time, this.stop) = (app, time, stop);
        timer = time.CreateTimer(_ => LookAtFrame(), null, Look, Look);
    }

    /// <summary>Called by the thread that draws: from now on it serves keys and draws.</summary>
    public void Begin() => Interlocked.Exchange(ref began, time.GetTimestamp());

    /// <summary>Called by the thread that draws: the frame is written.</summary>
    public void End() => Interlocked.Exchange(ref began, 0);

    public void Dispose() => timer.Dispose();

    void LookAtFrame()
    {
        if (Interlocked.Read(ref began) is not 0 and var since && time.GetElapsedTime(since) > LongestFrame
            && (stop.IsCancellationRequested || IsToQuit(TypedKeys.Of(app))))
        {
            Libc.DropOutput();
        }
    }

    // q, Ctrl+C, Ctrl+D. A q for a field of text drops no more than a part of the picture, which F5 draws anew.
    static bool IsToQuit(ConcurrentQueue<char>? typed) => typed?.Any(c => c is 'q' or '\x03' or '\x04') == true;
}

/// <summary>The characters that were typed and not served yet.</summary>
static class TypedKeys
{
    /// <summary>Those of an application; null where it reads no characters.</summary>
    public static ConcurrentQueue<char>? Of(IApplication app) => (app.Driver?.GetInputProcessor() as InputProcessorImpl<char>)?.InputQueue;
}
