using System.Collections.Concurrent;

namespace Tpwatch.Render.Tui.Terminal;

/// <summary>
/// Reads keys on a background thread, since <see cref="Console.ReadKey(bool)"/> can neither be waited for with a limit nor be
/// interrupted. The queue is bounded: what a paste brings beyond it is dropped.
/// </summary>
internal sealed class KeyReader(AutoResetEvent wake)
{
    const int Capacity = 256;

    readonly ConcurrentQueue<KeyPress> keys = new();
    volatile bool closed;

    /// <summary>Whether standard input has come to its end: nobody can press a key any more.</summary>
    public bool Closed => closed;

    public void Start() => new Thread(Read) { IsBackground = true, Name = "keys" }.Start();

    public bool TryTake(out KeyPress key) => keys.TryDequeue(out key);

    void Read()
    {
        try
        {
            while (Console.ReadKey(intercept: true) is var info && !IsEndOfInput(info))
            {
                if (keys.Count < Capacity)
                {
                    keys.Enqueue(ConsoleKeys.ToPress(info));
                }

                wake.Set();
            }
        }
        catch (Exception e) when (e is IOException or InvalidOperationException)
        {
            // The terminal went away while we read; the loop ends the run.
        }

        closed = true;
        wake.Set();
    }

    // At the end of input .NET gives a key that has neither name nor character; no real key looks like that.
    static bool IsEndOfInput(ConsoleKeyInfo info) => info.Key == default && info.KeyChar == default;
}
