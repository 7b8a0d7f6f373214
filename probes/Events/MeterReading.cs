namespace Tpwatch.Events;

/// <summary>Gathers the values of one collection; they are published as text, absolute, one event an instrument and tag set.</summary>
sealed class MeterReading
{
    const string Threads = "dotnet.thread_pool.thread.count";
    const string Queue = "dotnet.thread_pool.queue.length";
    const string Items = "dotnet.thread_pool.work_item.count";
    const string CpuTime = "dotnet.process.cpu.time";

    public static readonly string[] Instruments = [Threads, Queue, Items, CpuTime];

    double? threads;
    double? queue;
    double? items;
    double? cpuSeconds;
    double? itemsBefore;
    double? cpuBefore;
    EventTime? before;

    public void Take(string instrument, string tags, string value)
    {
        if (!double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out var number))
        {
            return;
        }

        switch (instrument)
        {
            case Threads: threads = number; break;
            case Queue: queue = number; break;
            case Items: items = number; break;
            // One series a mode (user, system); their sum is what the runtime's own rule looks at.
            case CpuTime when tags.Contains("cpu.mode", StringComparison.Ordinal): cpuSeconds = (cpuSeconds ?? 0) + number; break;
        }
    }

    /// <summary>The reading as a fact, or null when the collection held nothing of ours.</summary>
    public CountersRead? Finish(EventTime at)
    {
        CountersRead? fact = threads is null && queue is null && items is null
            ? null
            : new CountersRead(
                at, before is { } b ? at.MsSince(b) : null, (int?)threads, (long?)queue,
                (long?)Grown(items, itemsBefore), new CpuUse(Grown(cpuSeconds, cpuBefore), null));
        if (fact is not null)
        {
            // A value that this collection lacks must not make the next one cover two intervals.
            (before, itemsBefore, cpuBefore) = (at, items, cpuSeconds);
        }

        (threads, queue, items, cpuSeconds) = (null, null, null, null);
        return fact;
    }

    static double? Grown(double? now, double? then) => now is { } n && then is { } t && n >= t ? n - t : null;
}
