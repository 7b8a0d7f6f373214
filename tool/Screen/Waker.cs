namespace Tpwatch.Screen;

/// <summary>
/// Wakes one waiting thread. <see cref="Wake"/> may come after <see cref="Dispose"/>, because a signal handler can still run after its
/// registration was disposed. For example, a terminal that closes sends SIGHUP, which ends the program, and SIGCONT right after it.
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
    /// Waits for <see cref="Wake"/>, but no longer than the given time, rounded up to whole milliseconds as the system counts. Rounded
    /// down, a rest below one millisecond would be no wait, and a caller that waits for a point in time would loop until that time.
    /// </summary>
    public void WaitOne(TimeSpan atMost) => signal.WaitOne((int)Math.Ceiling(atMost.TotalMilliseconds));

    public void Dispose() => signal.Dispose();
}
