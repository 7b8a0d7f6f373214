using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Counts what was read, lost and not understood. Loss is data like any other.</summary>
sealed class QualityTracker
{
    /// <summary>More separate losses than anybody reads; the count goes on.</summary>
    const int MaxSpans = 1000;

    readonly List<EventSpan> spans = [];
    readonly List<string> remarks = [];
    long events;
    long lost;
    bool lossUnknown;
    long undecodable;

    public void Count() => events++;

    public EventSpan Lose(EventTime from, EventTime to, long? count)
    {
        lost += count ?? 0;
        lossUnknown |= count is null;
        var span = new EventSpan(from, to);
        if (spans.Count < MaxSpans)
        {
            spans.Add(span);
        }

        return span;
    }

    public void Undecodable(string what)
    {
        undecodable++;
        Remark($"an event could not be understood: {what}");
    }

    public void Remark(string text)
    {
        if (!remarks.Contains(text))
        {
            remarks.Add(text);
        }
    }

    public CaptureQuality Snapshot(EventTime completeUpTo) =>
        new(events, lost, lossUnknown, undecodable, completeUpTo, [.. spans], [.. remarks]);
}
