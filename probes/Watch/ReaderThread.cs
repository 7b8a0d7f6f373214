namespace Tpwatch.Watch;

/// <summary>A thread of its own for reading, whose end can be waited for.</summary>
static class ReaderThread
{
    /// <summary>Runs it; whatever goes wrong reaches whoever waits for the end, and does not kill the process.</summary>
    public static void Start<T>(Func<T> read, TaskCompletionSource<T> end) =>
        new Thread(() => Run(read, end)) { IsBackground = true, Name = "tpwatch reader" }.Start();

    static void Run<T>(Func<T> read, TaskCompletionSource<T> end)
    {
#pragma warning disable CA1031 // told to whoever waits
        try
        {
            end.TrySetResult(read());
        }
        catch (Exception e)
        {
            end.TrySetException(e);
        }
#pragma warning restore CA1031
    }
}
