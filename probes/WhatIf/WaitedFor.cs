using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>How many items at once are served by what they block on.</summary>
enum Serves
{
    /// <summary>Nobody knows: both ends of what is possible are imagined.</summary>
    Unknown,

    /// <summary>All that come, each for as long as it was seen to hold its worker.</summary>
    All,

    /// <summary>No more in a second than were seen, however many workers wait.</summary>
    AsNow,
}

/// <summary>What is known of that.</summary>
/// <param name="Serves">How many.</param>
/// <param name="Ms">Time from one end to the next as it was seen, milliseconds; null where none ended.</param>
/// <param name="Why">What tells, as a sentence.</param>
sealed record WaitedFor(Serves Serves, double? Ms, string Why)
{
    /// <summary>Items that block for less of their time than this are held up by processors, which the model has.</summary>
    const double Blocks = 0.1;

    public static WaitedFor Of(PoolReport report, ItemsSeen seen, WhatIfResult asSeen)
    {
        var ms = BetweenEndsMs(report, seen, asSeen);
        var (blocked, computed) = (seen.Items.Sum(item => item.BlockMs), seen.Items.Sum(item => item.RunMs));
        return blocked < Blocks * (blocked + computed) ? new(Serves.All, ms, "The items compute and hardly block.")
            : ProcessorLack.Of(report).Explains(report)
                ? new(Serves.All, ms, "Items wait for processors. The simulation assumes that nothing else makes them slower.")
            : Bottleneck.Of(report) is { } one
                ? new(Serves.AsNow, ms, $"Items wait for {one.Words}, so no more items per second complete than now.")
            : !DeepEvidence.HasStacks(report) && WorkerYield.Of(report) == Yield.Grows
                ? new(Serves.All, ms, "In this capture, more threads completed more items. "
                    + "So the simulation assumes that calls which block do not slow each other down.")
            : new(Serves.Unknown, ms,
                "tpwatch does not know what items wait for. At a sleep, more threads complete more items; "
                + "at a lock, more threads do not.");
    }

    // The faster of what the heartbeats counted while items waited and what the whole capture shows: waiting for more to come is no
    // service.
    static double? BetweenEndsMs(PoolReport report, ItemsSeen seen, WhatIfResult asSeen)
    {
        var ends = seen.Items[0].Blocking == Blocking.PoolTask ? 2 : 1;
        var counted = Demand.Of(report) is { Completed: > 0 } demand ? ends * demand.SpanMs / demand.Completed : (double?)null;
        EventTime[] ended = [.. asSeen.Items.Select(item => item.Ended).OfType<EventTime>().Where(at => at <= report.Timeline.Now)];
        var whole = ended.Length > 0 ? ended.Max().MsSince(seen.Items[0].Queued) / ended.Length : (double?)null;
        return new[] { counted, whole }.Min();
    }
}
