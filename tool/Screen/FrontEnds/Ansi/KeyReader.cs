using System.Collections.Concurrent;
using Tpwatch.Screen.Keys;

namespace Tpwatch.Screen.FrontEnds.Ansi;

/// <summary>
/// Reads keys on a background thread, since <see cref="Console.ReadKey(bool)"/> can neither be waited for with a limit nor be
/// interrupted. The queue is bounded: of a paste that fills it the oldest keys are dropped, so that the last one pressed, which may
/// be the one that quits, always counts.
/// </summary>
sealed class KeyReader
{
    const int Capacity = 256;

    /// <summary>Between two tries to read while the terminal belongs to somebody else.</summary>
    const int BackgroundLookMs = 50;

    readonly ConcurrentQueue<KeyPress> keys = new();
    volatile Waker? listener;
    volatile bool closed;
    TerminalModes? reading;
    bool started;

    /// <summary>Whether standard input has come to its end: nobody can press a key any more.</summary>
    public bool Closed => closed;

    /// <summary>Wakes <paramref name="waker"/> at every key from now on; what was typed before anybody listened is forgotten.</summary>
    public void Start(Waker waker)
    {
        keys.Clear();
        listener = waker;
        if (!started)
        {
            started = true;
            new Thread(Read) { IsBackground = true, Name = "keys" }.Start();
        }

        // A read that goes on since the run before knows nothing of the modes that its end gave back to the shell.
        reading?.Apply();
    }

    /// <summary>Nobody waits for keys any more; called before the terminal gets its modes back.</summary>
    public void Leave()
    {
        listener = null;
        reading = TerminalModes.Current();
    }

    public bool TryTake(out KeyPress key) => keys.TryDequeue(out key);

    void Read()
    {
        var alive = true;
        while (alive)
        {
            var ours = Libc.IsForeground;
            alive = TryRead() || !(ours && Libc.IsForeground) && WaitALittle();
        }

        closed = true;
        listener?.Wake();
    }

    bool TryRead()
    {
        try
        {
            return Take(Console.ReadKey(intercept: true));
        }
        catch (Exception e) when (e is IOException or InvalidOperationException)
        {
            // The terminal went away, or is not ours at the moment.
            return false;
        }
    }

    bool Take(ConsoleKeyInfo info)
    {
        // At the end of input .NET gives a key that has neither name nor character; no real key looks like that.
        if (info.Key == default && info.KeyChar == default)
        {
            return false;
        }

        if (keys.Count >= Capacity)
        {
            keys.TryDequeue(out _);
        }

        keys.Enqueue(ConsoleKeys.ToPress(info));
        listener?.Wake();
        return true;
    }

    // In the background a read fails, which looks like the end; it is one only where the terminal was ours all the time.
    static bool WaitALittle()
    {
        Thread.Sleep(BackgroundLookMs);
        return true;
    }
}
