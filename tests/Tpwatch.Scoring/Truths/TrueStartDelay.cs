using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Scoring.Truths;

/// <summary>
/// How long an item queued at a moment would have waited, by the truth: first in, first out, behind all that waited then.
/// </summary>
static class TrueStartDelay
{
    /// <summary>Milliseconds; null when the run ended before it would have begun, or when nothing waited.</summary>
    public static double? Of(RunTruth truth, EventTime at)
    {
        var ahead = truth.Items
            .Count(item => new EventTime(item.Enqueued) <= at && (item.Started is not { } started || new EventTime(started) > at));
        if (ahead == 0)
            return null;
        var starts = truth.Starts().Select(item => new EventTime(item.Started!.Value)).Where(start => start > at).ToArray();
        return starts.Length > ahead ? starts[ahead].MsSince(at)
            : starts.Length == ahead ? FreeAfter(truth, starts[^1])?.MsSince(at)
            : null;
    }

    /// <summary>Nothing was queued behind the last one, so the item asked for would have had the next worker that became free.</summary>
    static EventTime? FreeAfter(RunTruth truth, EventTime last) => truth.Items
        .Where(item => item.Ended is { } ended && new EventTime(ended) > last)
        .Select(item => (EventTime?)new EventTime(item.Ended!.Value)).Min();
}
