namespace Tpwatch.Core;

/// <summary>A background thread that takes samples at intervals until it is stopped.</summary>
sealed class SamplingThread : IDisposable
{
    /// <summary>Time limit for the end of the thread. A sample takes milliseconds; a thread that hangs is abandoned.</summary>
    static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(1);

    readonly ManualResetEvent stop = new(initialState: false);
    readonly Thread thread;
    int ended;

    /// <summary>Starts the thread.</summary>
    /// <param name="name">Name of the thread.</param>
    /// <param name="run">Callback that takes the samples and waits on the handle in between; the handle is set to end the thread.</param>
    public SamplingThread(string name, Action<WaitHandle> run)
    {
        thread = new Thread(() => run(stop)) { IsBackground = true, Name = name };
        thread.Start();
    }

    /// <summary>Signals the thread to end and waits up to a second for it; later calls do nothing.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref ended, 1) == 1)
        {
            return;
        }

        stop.Set();
        if (thread.Join(StopLimit))
        {
            stop.Dispose();
        }
    }
}
