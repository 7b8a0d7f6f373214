using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Checks;

/// <summary>
/// The length of a wait for a worker, as the ledger tells it, against the time between the first items of the two workers that came: where
/// each of two injections in a row gave an item its first worker, the two differ only by how long the threads took to start.
/// </summary>
static class GapCheck
{
    /// <summary>
    /// From the adjustment to the first line of an item: half a millisecond on an idle machine, and a new thread has to be scheduled.
    /// </summary>
    const double StartsMs = 10;

    /// <summary>A worker that appears so long after an injection is not its.</summary>
    const double OwnMs = 250;

    public static IEnumerable<string> Differences(ObservedRun run)
    {
        var injections = run.Report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation).OrderBy(g => g.End).ToArray();
        var first = run.Truth.Appearances().Select(item => ObservedRun.At(item.Started!.Value)).ToArray();
        foreach (var (before, delay) in injections.Zip(injections.Skip(1)))
        {
            if (delay is { ObservedMs: { } observed, StartBasis: Basis.Observed }
                && Own(first, before.End) is { } from && Own(first, delay.End) is { } to
                && Math.Abs(delay.Start!.Value.MsSince(before.End)) < OwnMs && Off(run.Truth, observed, (from, to)) is { } off)
            {
                yield return FormattableString.Invariant(
                    $"gap #{delay.Number} is told as {observed:0.0} ms, and its two workers began {off:0.0} ms apart");
            }
        }
    }

    static double? Off(RunTruth truth, double observed, (EventTime From, EventTime To) workers)
    {
        var apart = workers.To.MsSince(workers.From);
        var stolen = TrueStandstill.MsWithin(truth, workers.From.PlusMs(-OwnMs), workers.To);
        return Math.Abs(observed - apart) > StartsMs + stolen ? apart : null;
    }

    static EventTime? Own(EventTime[] first, EventTime injected)
    {
        var place = Array.BinarySearch(first, injected);
        place = place < 0 ? ~place : place;
        return place < first.Length && first[place].MsSince(injected) <= OwnMs ? first[place] : null;
    }
}
