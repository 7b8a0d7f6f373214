using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>Requests second by second, for as long as a screen can show.</summary>
sealed class RequestSeconds
{
    /// <summary>A quarter of an hour, as the timeline's buckets.</summary>
    const int Most = 900;

    const long Second = 1_000_000_000;

    readonly Queue<RequestPoint> closed = new();
    long from = -1;
    long ended;
    int most;
    long slowestNs;

    public void UnderWay(EventTime at, int count)
    {
        AdvanceTo(at, count);
        most = Math.Max(most, count);
    }

    public void Ended(EventTime at, long nanoseconds, int left)
    {
        AdvanceTo(at, left + 1);
        most = Math.Max(most, left + 1);
        (ended, slowestNs) = (ended + 1, Math.Max(slowestNs, nanoseconds));
    }

    public ImmutableArray<RequestPoint> Snapshot() => from < 0 ? [] : [.. closed, Open()];

    // Through seconds in which nothing was told the same requests are under way.
    void AdvanceTo(EventTime at, int underWay)
    {
        from = from < 0 ? at.Nanoseconds : from;
        for (var passed = 0; at.Nanoseconds - from >= Second; passed++)
        {
            if (closed.Count == Most)
            {
                closed.Dequeue();
            }

            closed.Enqueue(Open());
            from += passed < Most ? Second : (at.Nanoseconds - from) / Second * Second;
            (ended, most, slowestNs) = (0, underWay, 0);
        }
    }

    RequestPoint Open() => new(new(new(from), new(from + Second)), ended, most, slowestNs / 1e6);
}
