namespace Tpwatch.Reports;

/// <summary>What a reading proves of what the worker threads wait for.</summary>
static class InsideOutlook
{
    /// <summary>Whether what is waited for is complete or due, and lacks nothing but a worker thread.</summary>
    public static bool NeedsWorker(this InsideWait wait) => wait.End is WaitEnd.InQueue or WaitEnd.DueTimer;

    /// <summary>Worker threads that wait for what is itself in the queue.</summary>
    public static int ForQueue(InsideReading reading) => reading.Waits.Where(w => w.NeedsWorker()).Sum(w => w.Workers);

    /// <summary>Whether that is true of half of the worker threads that wait, or more.</summary>
    public static bool IsForQueue(InsideReading reading) =>
        ForQueue(reading) is > 0 and var queued && queued * 2 >= reading.Waits.Sum(w => w.Workers);
}
