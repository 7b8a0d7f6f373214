using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Scoring.Truths;

/// <summary>When nothing waited any more, by the truth.</summary>
static class TrueQueueEmpty
{
    /// <summary>Milliseconds after a moment at which something waited; null where nothing did, or the run ended before.</summary>
    public static double? After(RunTruth truth, TrueLanes lanes, EventTime at) => lanes.WaitingAt(at) == 0 ? null
        : truth.Starts().Select(item => new EventTime(item.Started!.Value)).Where(start => start > at)
            .Select(start => (EventTime?)start).FirstOrDefault(start => lanes.WaitingAt(start!.Value) == 0)?.MsSince(at);
}
