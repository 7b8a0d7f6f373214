using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;

namespace Tpwatch.Scoring.Scores;

/// <summary>Workers that appeared in the truth against rises of the goal that the tool saw, each in its order.</summary>
/// <param name="Workers">Workers above the first goal that ran an item.</param>
/// <param name="Missed">Those for which the goal had not risen before they began.</param>
/// <param name="Invented">Injections after which no new worker ran an item although items waited.</param>
readonly record struct InjectionScore(int Workers, int Missed, int Invented)
{
    /// <summary>The two clocks are the same; the stamps are taken at different places of the code.</summary>
    const double StampMs = 1;

    /// <summary>A worker that is injected takes its item within this, unless the machine is busy or another one took it before.</summary>
    const double EmptiedMs = 250;

    public static InjectionScore Of(PoolReport report, RunTruth truth)
    {
        var until = report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.ThreadTimedOut)
            .Select(g => g.End).Concat(Calls(truth)).DefaultIfEmpty(new(truth.End.At)).Min();
        var workers = truth.Appearances().Select(item => new EventTime(item.Started!.Value))
            .Where(at => at < until).Skip(AtOnce(truth.Header)).ToArray();
        var open = Places(report, until, AtOnce(truth.Header)).ToList();
        var missed = 0;
        foreach (var worker in workers)
        {
            var own = open.FindIndex(place => worker.MsSince(place) >= -StampMs);
            if (own < 0)
                missed++;
            else
                open.RemoveAt(own);
        }

        return new(workers.Length, missed, open.Count(place => Waited(truth, place)));
    }

    public static InjectionScore operator +(InjectionScore one, InjectionScore other) =>
        new(one.Workers + other.Workers, one.Missed + other.Missed, one.Invented + other.Invented);

    /// <summary>A call that changes the limits moves the goal without an adjustment: what comes from then on tells nothing.</summary>
    static IEnumerable<EventTime> Calls(RunTruth truth) =>
        truth.Pool.Select((seen, index) => (seen, index))
            .Where(p => p.seen.Min != truth.Header.MinWorkers || p.seen.Max != truth.Header.MaxWorkers).Take(1)
            // Between two questions to the pool a worker may have come already.
            .Select(p => new EventTime(p.index == 0 ? 0 : truth.Pool[p.index - 1].At));

    /// <summary>
    /// The goal with which the pool begins: a min that the program lowers below the number of processors leaves it there.
    /// </summary>
    static int AtOnce(TruthHeader header) => Math.Max(header.MinWorkers, header.Processors);

    /// <summary>
    /// The moments at which the goal made room for one worker more than ever before. A worker that timed
    /// out makes room, too, so later ones tell nothing.
    /// </summary>
    static IEnumerable<EventTime> Places(PoolReport report, EventTime until, int atOnce)
    {
        var most = atOnce;
        foreach (var delay in report.InjectionDelays.Where(g => g.Reason is not null && g.End < until))
        {
            for (; most < delay.TargetThreadsAfter; most++)
                yield return delay.End;
        }
    }

    /// <summary>Items waited some time after the moment; at the end of a run nobody can tell any more.</summary>
    static bool Waited(RunTruth truth, EventTime at)
    {
        var later = at.PlusMs(EmptiedMs);
        return later < new EventTime(truth.End.At) && truth.Items.Any(item =>
            new EventTime(item.Enqueued) <= at && (item.Started is not { } started || new EventTime(started) > later));
    }
}
