namespace Tpwatch.Screen;

/// <summary>
/// Wakes one waiting thread. <see cref="Wake"/> may come after <see cref="Dispose"/>: a signal handler can still run after its registration
/// was disposed (a terminal that closes sends SIGHUP, which ends the program, and SIGCONT right after it).
/// </summary>
sealed class Waker : IDisposable
{
    readonly AutoResetEvent signal = new(initialState: false);

    public void Wake()
    {
        try
        {
            signal.Set();
        }
        catch (ObjectDisposedException)
        {
            // No thread waits any more.
        }
    }

    /// <summary>
    /// Waits for <see cref="Wake"/>, at most the given time, rounded up to whole milliseconds as the system counts. Rounded down, a rest
    /// below one millisecond would not wait at all, and a caller that waits for a point in time would loop until it has come.
    /// </summary>
    public void WaitOne(TimeSpan atMost) => signal.WaitOne((int)Math.Ceiling(atMost.TotalMilliseconds));

    public void Dispose() => signal.Dispose();
}
