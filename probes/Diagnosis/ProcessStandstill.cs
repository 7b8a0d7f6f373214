using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Calculates how long the process did not run during a capture, by evidence from outside the pool.</summary>
static class ProcessStandstill
{
    /// <summary>Minimum duration of a long stop, milliseconds: the same as for a wait that counts as starvation.</summary>
    public const double LongMs = WaitTracker.AlarmMs;

    /// <summary>
    /// Maximum age of a long stop that counts as recent, milliseconds: ten minutes, because a stop of a second is an incident in itself.
    /// </summary>
    const double RecentMs = 600_000;

    /// <summary>
    /// Minimum share of the capture without a running thread that explains delays. At a fifth, items take a quarter longer on average.
    /// </summary>
    public const double MuchShare = 0.2;

    /// <summary>
    /// Whether stops of all threads delayed items: a stop of a second or more, or a fifth of the capture, while there were items. Time that
    /// threads only waited for a processor does not count, because other threads of the process ran.
    /// </summary>
    public static bool ExplainsDelays(TimelineSnapshot timeline) =>
        timeline.CounterSamples.Any(b => b.Completed > 0 || b.QueueLength > 0)
        && ((LongestMs(timeline) >= LongMs && IsRecent(timeline)) || Share(timeline) >= MuchShare);

    /// <summary>Whether a long stop is recent: an old stop explains delays at that time, but not current delays.</summary>
    static bool IsRecent(TimelineSnapshot timeline) => CaptureMs(timeline) <= RecentMs
        || timeline.Hindrances.Any(h =>
            h.Kind is HindranceKind.Suspension or HindranceKind.Stopped && h.Ms >= LongMs && timeline.Now.MsSince(h.Span.To) <= RecentMs);

    /// <summary>Length of the capture, milliseconds; 1 or more. A stopped process sends no events, so the last stop counts too.</summary>
    public static double CaptureMs(TimelineSnapshot timeline) => Math.Max(1, timeline.Hindrances
        .Aggregate(timeline.Now, (last, h) => EventTime.Max(last, h.Span.To)).MsSince(timeline.Start));

    /// <summary>Total time of each kind of hindrance, computed from single hindrances if the timeline has no totals.</summary>
    public static ImmutableArray<HindranceTotal> Totals(TimelineSnapshot timeline) =>
        !timeline.HindranceTotals.IsEmpty ? timeline.HindranceTotals
            : [.. timeline.Hindrances.GroupBy(h => h.Kind)
                .Select(g => new HindranceTotal(g.Key, g.Count(), g.Sum(h => h.Ms), g.Max(h => h.Ms)))];

    /// <summary>Share of the capture in which no thread ran, 0 to 1.</summary>
    public static double Share(TimelineSnapshot timeline) =>
        Math.Min(1, Totals(timeline).Where(StopsAll).Sum(t => t.Ms) / CaptureMs(timeline));

    /// <summary>The longest stop of all threads, milliseconds. Throttling is left out, because only its total time is known.</summary>
    public static double LongestMs(TimelineSnapshot timeline) =>
        Totals(timeline).Where(t => t.Kind is HindranceKind.Suspension or HindranceKind.Stopped)
            .Select(t => t.LongestMs).DefaultIfEmpty().Max();

    static bool StopsAll(HindranceTotal total) => total.Kind != HindranceKind.ProcessorWait;
}

/// <summary>The sentences about hindrances that kept the process from running.</summary>
static class ProcessStandstillSentence
{
    /// <summary>The observed kinds with their total milliseconds: kinds that stop every thread first, then the largest first.</summary>
    public static ImmutableArray<(HindranceKind Kind, double Ms)> Kinds(TimelineSnapshot timeline) =>
        [.. ProcessStandstill.Totals(timeline).Where(t => t.Ms > 0).Select(t => (t.Kind, t.Ms))
            .OrderBy(k => k.Kind == HindranceKind.ProcessorWait).ThenByDescending(k => k.Ms)];

    /// <summary>Cause and duration: <c>The runtime suspended all threads for 9.6 s of 20.0 s, mostly for garbage collections</c>.</summary>
    public static string Of(TimelineSnapshot timeline) => Lasting(timeline, Words(Kinds(timeline)[0].Kind).Sentence);

    /// <summary>Cause and duration in brief, <c>the runtime stopped all threads for 9.6 s of 20.0 s</c>, and the cause alone.</summary>
    public static (string Long, string Brief) Shortly(TimelineSnapshot timeline) =>
        Kinds(timeline) is [var top, ..] && Words(top.Kind).Brief is var brief
            ? (Lasting(timeline, brief), brief) : ("the process itself did not run", "the process did not run");

    static string Lasting(TimelineSnapshot timeline, string what) =>
        $"{what} for {Format.Duration(Kinds(timeline)[0].Ms)} of {Format.Duration(ProcessStandstill.CaptureMs(timeline))}"
            + (Kinds(timeline)[0].Kind == HindranceKind.Suspension ? ", mostly for garbage collections" : "");

    /// <summary>Texts for a kind: the beginning of a sentence, a few words, the name of the evidence, and its source.</summary>
    public static (string Sentence, string Brief, string Evidence, string Source) Words(HindranceKind kind) => kind switch
    {
        HindranceKind.Suspension => ("The runtime suspended all threads", "the runtime stopped all threads",
            "Suspended by the runtime, mostly for garbage collections", "suspension events"),
        HindranceKind.Stopped => ("A signal, a debugger or a paused container stopped the process", "the process was stopped",
            "Stopped by a signal, debugger or paused container", "state of the process"),
        HindranceKind.Throttled => (
            "The used-up processor quota of its control group throttled the process", "the processor quota was used up",
            "Throttled because the processor quota of its control group was used up", "control group"),
        _ => ("A thread of the process was ready to run, but had no processor", "threads found no free processor",
            "A thread was ready to run, but had no processor", "scheduler statistics"),
    };

    /// <summary>The remedy for a kind of hindrance.</summary>
    public static Remedy Remedy(HindranceKind kind, PoolEvidence report) => kind switch
    {
        HindranceKind.Suspension => new(
            $"Find out why garbage collections take so long or run so often (dotnet-trace collect -p {Waits.Pid(report)} --profile "
                + "gc-verbose). Allocate less, keep fewer long-lived objects, and remove calls to GC.Collect."),
        HindranceKind.Stopped =>
            new("Find out what stopped the process: a debugger, a dump, SIGSTOP or Ctrl+Z, a paused container, a frozen virtual machine."),
        HindranceKind.Throttled =>
            new("Raise the processor limit of its container or systemd unit (resources.limits.cpu, CPUQuota), or use less processor time."),
        _ => new("If other processes use the processors, find them with top. Give this process a larger share or another machine."),
    };
}

/// <summary>A time span in which items waited and none completed, by consecutive counter samples.</summary>
/// <param name="Span">Start and end of the stall.</param>
/// <param name="Added">Sum of the raises of the target thread count in the stall, because of starvation or task waits.</param>
/// <param name="Cpu">Mean processor use in the stall, share of all processors, 0 to 1; null when unknown.</param>
/// <param name="QueueLength">Queue length at the end of the stall.</param>
/// <param name="Lasts">Whether the stall continues at the last counter sample.</param>
sealed record Stall(EventSpan Span, int Added, double? Cpu, long QueueLength, bool Lasts)
{
    /// <summary>
    /// The longest stall, or the last of equally long ones; null if at each counter sample an item had completed or none waited.
    /// </summary>
    public static Stall? Longest(PoolEvidence report) => Longest(report, span => span.Ms);

    /// <summary>The stall with the largest value of a given measure; a stall with the value 0 does not count.</summary>
    public static Stall? Longest(PoolEvidence report, Func<EventSpan, double> measure)
    {
        var samples = report.Timeline.CounterSamples;
        var best = (First: 0, Last: -1, Ms: 0.0);
        for (int i = 0, first = 0; i < samples.Length; i++)
        {
            if (!Stalls(samples[i], report.Timeline.Quality))
            {
                first = i + 1;
            }
            else if (new EventSpan(Start(samples[first]), samples[i].At) is var span && measure(span) is > 0 and var ms && ms >= best.Ms)
            {
                best = (first, i, ms);
            }
        }

        return best.Last < 0 ? null : Of(report, best.First, best.Last);
    }

    static bool Stalls(CounterSample sample, CaptureQuality quality) =>
        sample is { Completed: 0, QueueLength: > 0, IntervalMs: not null }
        && (quality.LossSpans.IsEmpty || !quality.LossSpans.Any(new EventSpan(Start(sample), sample.At).Touches));

    static EventTime Start(CounterSample sample) => sample.At.PlusMs(-(sample.IntervalMs ?? 0));

    static Stall Of(PoolEvidence report, int first, int last)
    {
        var samples = report.Timeline.CounterSamples;
        var span = new EventSpan(Start(samples[first]), samples[last].At);
        var rises = report.InjectionDelays.Where(g =>
            g.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking && g.End >= span.From && g.End <= span.To);
        return new(
            span, rises.Sum(g => Math.Max(0, (g.TargetThreadsAfter - g.TargetThreadsBefore) ?? 1)),
            samples[first..(last + 1)].Average(b => b.Cpu), samples[last].QueueLength ?? 0,
            last == samples.Length - 1);
    }
}

/// <summary>Removes the part of a capture before a given time, as if the capture had begun there; settings and levels are kept.</summary>
static class HistoryReset
{
    /// <param name="seen">The timeline at the time before which everything is removed.</param>
    /// <param name="timeline">The timeline since the beginning.</param>
    /// <param name="ledger">The ledger since the beginning.</param>
    public static (TimelineSnapshot Timeline, LedgerSnapshot Ledger) Before(
        TimelineSnapshot seen, TimelineSnapshot timeline, LedgerSnapshot ledger)
    {
        var at = seen.Now;
        var hindrances = timeline.Hindrances.Where(h => h.Span.To > at).Select(h => Since(at, h)).ToImmutableArray();
        var buckets = timeline.Buckets.Since(timeline.Buckets.IndexOf(at));
        var counterSamples = timeline.CounterSamples.RemoveAll(b => b.At <= at);
        var delays = ledger.InjectionDelays.RemoveAll(g => g.End <= at);
        return (timeline with
        {
            Buckets = buckets,
            CounterSamples = counterSamples,
            Hindrances = hindrances,
            HindranceTotals = [.. timeline.HindranceTotals.Select(total => Since(seen, total, hindrances)).Where(total => total.Ms > 0)],
            Quality = Since(at, seen.Quality, timeline.Quality),
            WorkerMoments = timeline.WorkerMoments.RemoveAll(m => m.At <= at),
        }, ledger with
        {
            InjectionDelays = delays,
            Journal = ledger.Journal.RemoveAll(g => g.End <= at),
            Evicted = 0,
            Tally = DelayTally.Of(delays),
            Adjustments = delays.Where(g => g.Reason is not null).GroupBy(g => g.Reason!.Value)
                .ToImmutableSortedDictionary(g => g.Key, g => g.Count()),
            Compensations = delays.Count(g => g.Reason == AdjustmentReason.CooperativeBlocking
                && g.TargetThreadsAfter > g.TargetThreadsBefore),
            Episodes = [.. ledger.Episodes.Where(e => !e.Over || e.Span.To > at)
                .Select(e => e with { Span = e.Span with { From = EventTime.Max(e.Span.From, at) } })],
            MaxWorkers = MaxWorkers(buckets),
            MaxQueueLength = counterSamples.Max(b => b.QueueLength),
            DroppedEpisodes = 0,
            DroppedMs = 0,
        });
    }

    static Hindrance Since(EventTime at, Hindrance one)
    {
        var span = one.Span with { From = EventTime.Max(one.Span.From, at) };
        return one with { Span = span, Ms = Math.Min(one.Ms, span.Ms) };
    }

    // Hindrances kept singly give the longest one. Only the total of shorter ones is known, so their mean is used.
    static HindranceTotal Since(TimelineSnapshot seen, HindranceTotal total, ImmutableArray<Hindrance> kept)
    {
        var before = seen.HindranceTotals.FirstOrDefault(t => t.Kind == total.Kind) ?? new(total.Kind, 0, 0, 0);
        var ms = total.Ms - before.Ms;

        // A continuing stop was already counted at the earlier time, but its duration grows.
        var count = Math.Max(total.Count - before.Count, ms > 0 ? 1 : 0);
        var longest = kept.Where(h => h.Kind == total.Kind).Select(h => h.Ms).DefaultIfEmpty().Max();
        return total with { Count = count, Ms = ms, LongestMs = Math.Max(longest, count > 0 ? ms / count : 0) };
    }

    static CaptureQuality Since(EventTime at, CaptureQuality before, CaptureQuality all)
    {
        var spans = all.LossSpans.RemoveAll(span => span.To <= at);
        return all with
        {
            Events = all.Events - before.Events,
            Lost = all.Lost - before.Lost,
            LossUnknown = all.LossUnknown && (!before.LossUnknown || spans.Length > 0),
            Undecodable = all.Undecodable - before.Undecodable,
            LossSpans = spans,
        };
    }

    static int? MaxWorkers(BucketSeries buckets)
    {
        var most = -1;
        for (var i = buckets.FirstIndex; i < buckets.EndIndex; i = buckets.Next(i))
        {
            most = Math.Max(most, buckets[i].WorkersMax);
        }

        return most < 0 ? null : most;
    }
}
