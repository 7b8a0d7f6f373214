namespace Tpwatch.Core;

/// <summary>A background thread that looks at something now and then until it is told to stop.</summary>
sealed class SamplingThread : IDisposable
{
    /// <summary>A look takes some milliseconds; should one hang nevertheless, it hangs on a background thread.</summary>
    static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(1);

    readonly ManualResetEvent stop = new(initialState: false);
    readonly Thread thread;
    int ended;

    /// <summary>Starts it.</summary>
    /// <param name="name">What the thread is called.</param>
    /// <param name="run">Looks, and waits on the handle between two looks: it is set when the thread is to end.</param>
    public SamplingThread(string name, Action<WaitHandle> run)
    {
        thread = new Thread(() => run(stop)) { IsBackground = true, Name = name };
        thread.Start();
    }

    /// <summary>Ends it and waits until it has ended; once.</summary>
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
