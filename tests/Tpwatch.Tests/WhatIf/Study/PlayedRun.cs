using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Watch;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.WhatIf.Study;

/// <summary>
/// An imagined run told to the engine as a watched process would tell it: its workers' moments, its adjustments, and counters each second.
/// </summary>
static class PlayedRun
{
    const int Gate = 900;
    const int FirstWorker = 1000;
    const double BeatMs = 1000;

    /// <summary>Watching begins before the first item is queued, and ends after the last one or in the middle.</summary>
    const double BeforeMs = 2300;

    public static PoolReport Report(SimulationResult run, PoolSettings settings, double? watchedMs = null, int completionsPerItem = 1)
    {
        var first = run.Items.Min(item => item.Queued);
        var begin = first.PlusMs(-BeforeMs);
        var end = watchedMs is { } ms ? first.PlusMs(ms) : run.Items.Max(item => item.Ended!.Value).PlusMs(1500);
        var target = new TargetFacts { Pid = 7, Name = "Played" };
        var (timeline, ledger) = (new PoolTimeline(target, SessionSource.Live), new PoolLedger(target, new PortablePolicy()));
        IFactSink sink = new FactFanOut(_ => { }, timeline, ledger);
        sink.On(new StreamOpened(begin, DateTime.UnixEpoch, settings.Processors));
        sink.On(new ProcessorsCounted(begin, settings.Processors));
        sink.On(new LimitsChanged(begin, settings.Min, settings.Max ?? 32_767));
        foreach (var (_, tell) in Facts(run, (begin, end), completionsPerItem).OrderBy(fact => fact.At))
        {
            tell(sink);
        }

        return ReportBuilder.Build(
            timeline.Snapshot(), ledger.Snapshot(), watchedMs is null ? SessionEnd.TargetExited : SessionEnd.StoppedByUs);
    }

    static IEnumerable<(EventTime At, Action<IFactSink> Tell)> Facts(
        SimulationResult run, (EventTime Begin, EventTime End) watched, int completionsPerItem) =>
        CounterSamples(run, watched, completionsPerItem).Concat(Workers(run)).Concat(Adjustments(run))
            .Where(fact => fact.At <= watched.End);

    static IEnumerable<(EventTime At, Action<IFactSink> Tell)> Adjustments(SimulationResult run) => run.Adjustments.Select(a =>
    {
        var reason = a.Kind == GateWakeReason.Periodic ? AdjustmentReason.Starvation : AdjustmentReason.CooperativeBlocking;
        return (a.At, (Action<IFactSink>)(sink => sink.On(new TargetThreadsChanged(a.At, Gate, a.TargetThreads, reason))));
    });

    static IEnumerable<(EventTime At, Action<IFactSink> Tell)> Workers(SimulationResult run)
    {
        foreach (var worker in run.Items.Where(item => item.Worker is not null).GroupBy(item => item.Worker!.Value))
        {
            var spans = worker.OrderBy(span => span.Started!.Value).ToArray();
            var (thread, born) = (FirstWorker + worker.Key, spans[0].Started!.Value);
            yield return (born, sink => sink.On(new WorkerStarted(born, thread, run.WorkersAt(born))));
            foreach (var (span, index) in spans.Select((span, index) => (span, index)))
            {
                if (span.Ended is { } at && (index + 1 == spans.Length || spans[index + 1].Started!.Value.MsSince(at) > 0.01))
                {
                    yield return (at, sink => sink.On(new WorkerWaited(at, thread, run.WorkersAt(at))));
                }
            }
        }
    }

    static IEnumerable<(EventTime At, Action<IFactSink> Tell)> CounterSamples(
        SimulationResult run, (EventTime Begin, EventTime End) watched, int completionsPerItem)
    {
        for (var (at, n) = (watched.Begin.PlusMs(BeatMs), 0); at <= watched.End; at = at.PlusMs(BeatMs), n++)
        {
            var (now, before) = (at, at.PlusMs(-BeatMs));
            long? completed = n == 0 ? null : run.Items.Count(item => item.Ended > before && item.Ended <= now) * completionsPerItem;
            var counters = new CountersRead(
                now, n == 0 ? null : BeatMs, run.WorkersAt(now), run.QueueLengthAt(now), completed, new(null, 0.01));
            yield return (now, sink => sink.On(counters));
        }
    }
}
