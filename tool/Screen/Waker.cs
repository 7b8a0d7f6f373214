namespace Tpwatch.Screen;

/// <summary>
/// Wakes one waiting thread. May be called by whoever comes too late: the handler of a signal can still be on its way when its registration
/// is gone (a terminal that closes sends SIGHUP, which ends the program, and SIGCONT right behind it).
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
            // Nobody waits any more.
        }
    }

    /// <summary>
    /// Waits, in whole milliseconds as the system counts, rounded up: what is left below one would not wait at all, and whoever waits for a
    /// moment would go round and round until it has come.
    /// </summary>
    public void WaitOne(TimeSpan atMost) => signal.WaitOne((int)Math.Ceiling(atMost.TotalMilliseconds));

    public void Dispose() => signal.Dispose();
}
