namespace Tpwatch.Watch;

/// <summary>Starts a thread of its own for reading, with an awaitable end.</summary>
static class ReaderThread
{
    /// <summary>Runs <paramref name="read"/>; an exception reaches the caller that awaits the end, and does not end the process.</summary>
    public static void Start<T>(Func<T> read, TaskCompletionSource<T> end) =>
        new Thread(() => Run(read, end)) { IsBackground = true, Name = "tpwatch reader" }.Start();

    static void Run<T>(Func<T> read, TaskCompletionSource<T> end)
    {
#pragma warning disable CA1031 // reported to the waiting caller
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
