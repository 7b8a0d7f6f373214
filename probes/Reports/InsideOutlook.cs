namespace Tpwatch.Reports;

/// <summary>Conclusions from a memory reading: whether the worker threads wait for work that is itself queued.</summary>
static class InsideOutlook
{
    /// <summary>Whether the awaited work could continue at once if a worker thread were free.</summary>
    public static bool NeedsWorker(this InsideWait wait) => wait.End is WaitEnd.InQueue or WaitEnd.DueTimer;

    /// <summary>Number of worker threads that wait for work that is itself queued.</summary>
    public static int ForQueue(InsideReading reading) => reading.Waits.Where(w => w.NeedsWorker()).Sum(w => w.Workers);

    /// <summary>Whether at least half of the waiting worker threads wait for work that is itself queued.</summary>
    public static bool IsForQueue(InsideReading reading) =>
        ForQueue(reading) is > 0 and var queued && queued * 2 >= reading.Waits.Sum(w => w.Workers);
}
