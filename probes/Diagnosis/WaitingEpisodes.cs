using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>Queries about the episodes in which items waited, shared by several rules.</summary>
static class WaitingEpisodes
{
    public static IEnumerable<StarvedEpisode> ForWorkers(PoolEvidence report) =>
        report.Episodes.Where(e => e.Kind is not (Verdict.Saturated or Verdict.Held));

    /// <summary>Processor use while items waited, 0 to 1: the mean of the counter samples inside the episodes; null when unknown.</summary>
    public static double? Cpu(PoolEvidence report, IEnumerable<StarvedEpisode> episodes) =>
        CounterSamples(report.Timeline, episodes).Select(b => b.Cpu).Average();

    /// <summary>Items completed per second while items waited or were held; null when no counter sample counts them.</summary>
    public static double? CompletedPerSecond(PoolEvidence report) => CompletedPerSecond(CounterSamples(report.Timeline, report.Episodes));

    /// <summary>Items completed per second over the counter samples that count them; null when none does.</summary>
    public static double? CompletedPerSecond(IEnumerable<CounterSample> samples)
    {
        var counted = samples.Where(b => b is { Completed: not null, IntervalMs: > 0 }).ToArray();
        return counted.Length == 0 ? null : counted.Sum(b => b.Completed!.Value) * 1000.0 / counted.Sum(b => b.IntervalMs!.Value);
    }

    public static Evidence Longest(PoolEvidence report) =>
        DeepEvidence.AtLeast("An item waited in the queue for", LongestMs(report), "heartbeat");

    /// <summary>
    /// Lower bound of the longest wait for a worker thread, milliseconds; 0 without a proven wait. The source is counter samples, or
    /// measured items, whose waits may begin before the first sample.
    /// </summary>
    public static double LongestMs(PoolEvidence report) => Math.Max(
        report.Episodes.Where(e => e.Kind.IsWait()).Select(e => e.ProvenWaitMs).DefaultIfEmpty().Max(),
        report.Items?.StarvedDelay is { IsKnown: true } measured ? measured.MaxMs : 0);

    /// <summary>Returns the counter samples inside the episodes, each sample once, oldest first.</summary>
    public static IEnumerable<CounterSample> CounterSamples(TimelineSnapshot timeline, IEnumerable<StarvedEpisode> episodes)
    {
        var (samples, next) = (timeline.CounterSamples, 0);
        foreach (var span in episodes.Select(e => e.Span).OrderBy(span => span.From))
        {
            next = Math.Max(next, TimeOrderedSearch.FirstAfter(samples, span.From, b => b.At));
            for (; next < samples.Length && samples[next].At <= span.To; next++)
            {
                yield return samples[next];
            }
        }
    }

    /// <summary>Returns, as part of a sentence, why the activity of the worker threads is not known.</summary>
    public static string NoStacks(PoolEvidence report) =>
        report.WereStacksTaken ? "the stacks show no thread at work" : "no stacks show what the threads did";

    /// <summary>The missing stacks, which would show whether the worker threads were blocked or kept the processors busy.</summary>
    public static MissingData MissingStacksOfComputing(PoolEvidence report) =>
        new(MissingKind.Stacks, $"the processors were busy, so the threads may be computing, not blocked; {NoStacks(report)}");
}

/// <summary>Detects conditions that counter samples show for some time, and not only for a moment.</summary>
static class Lasting
{
    /// <summary>
    /// Minimum number of consecutive counter samples with a condition. One sample may fall into a short burst; three do not.
    /// </summary>
    const int CounterSamples = 3;

    /// <summary>Maximum age of a recent counter sample, milliseconds: a condition that ended earlier does not concern a user now.</summary>
    const double RecentMs = 30_000;

    /// <summary>Whether <see cref="CounterSamples"/> consecutive counter samples show the condition.</summary>
    public static bool Shows(TimelineSnapshot timeline, Func<CounterSample, bool> it) => Shows(timeline.CounterSamples.AsSpan(), it);

    /// <summary>Whether <see cref="CounterSamples"/> consecutive recent counter samples show the condition.</summary>
    public static bool ShowsLately(TimelineSnapshot timeline, Func<CounterSample, bool> it) =>
        Shows(timeline.CounterSamples.AsSpan()[Lately(timeline)..], it);

    /// <summary>
    /// The last series of <see cref="CounterSamples"/> or more consecutive recent counter samples that show the condition; empty when there
    /// is none.
    /// </summary>
    public static CounterSample[] LastRun(TimelineSnapshot timeline, Func<CounterSample, bool> it)
    {
        var samples = timeline.CounterSamples.AsSpan()[Lately(timeline)..];
        for (var end = samples.Length; end >= CounterSamples; end--)
        {
            var first = end;
            while (first > 0 && it(samples[first - 1]))
            {
                first--;
            }

            if (end - first >= CounterSamples)
            {
                return samples[first..end].ToArray();
            }

            end = Math.Min(end, first + 1);
        }

        return [];
    }

    // Index of the first recent counter sample, by binary search: this runs for each report and screen frame, and a capture may last days.
    static int Lately(TimelineSnapshot timeline) =>
        TimeOrderedSearch.FirstAfter(timeline.CounterSamples, timeline.Now.PlusMs(-RecentMs), sample => sample.At);

    static bool Shows(ReadOnlySpan<CounterSample> samples, Func<CounterSample, bool> it)
    {
        var row = 0;
        foreach (var sample in samples)
        {
            row = it(sample) ? row + 1 : 0;
            if (row == CounterSamples)
            {
                return true;
            }
        }

        return false;
    }
}

/// <summary>Episodes that do not overlap, in time order. A query about a time is a binary search.</summary>
sealed class EpisodeIntervals(IEnumerable<StarvedEpisode> episodes)
{
    readonly ImmutableArray<EventSpan> spans = [.. episodes.Select(e => e.Span).OrderBy(span => span.From)];

    /// <summary>Whether an episode overlaps the time between <paramref name="from"/> and <paramref name="to"/>.</summary>
    public bool Touch(EventTime from, EventTime to) =>
        TimeOrderedSearch.FirstAfter(spans, from, span => span.To) is var first && first < spans.Length && spans[first].From < to;

    /// <summary>Whether a given time is in an episode, including the start and the end of the episode.</summary>
    public bool Hold(EventTime at) => Touch(new(at.Nanoseconds - 1), new(at.Nanoseconds + 1));
}

/// <summary>
/// Decides by age and frequency whether past events still matter. For example, one task wait hours ago does not make the verdict
/// Compensated, and one event lost hours ago does not make the verdict Undecided.
/// </summary>
static class EventRelevance
{
    /// <summary>Maximum age of a recent event, milliseconds.</summary>
    const double RecentMs = 60_000;

    /// <summary>Minimum share of the capture's minutes that contain an event, for old events to still matter.</summary>
    const double HabitShare = 0.1;

    /// <summary>Minimum share of the capture in which events were lost, to rule out the verdict Healthy.</summary>
    const double LostShare = 0.05;

    /// <summary>Whether one of the events is recent, or a tenth of the capture's minutes has an event.</summary>
    public static bool IsWorthTelling(IEnumerable<EventTime> moments, TimelineSnapshot timeline)
    {
        var minutes = new HashSet<long>();
        foreach (var at in moments)
        {
            if (timeline.Now.MsSince(at) <= RecentMs)
            {
                return true;
            }

            minutes.Add((long)(at.MsSince(timeline.Start) / RecentMs));
        }

        return minutes.Count * RecentMs >= HabitShare * timeline.CaptureMs && minutes.Count > 0;
    }

    /// <summary>Whether events were lost recently or for a long time, so that an item may have waited unseen.</summary>
    public static bool IsLossWorthTelling(TimelineSnapshot timeline)
    {
        var quality = timeline.Quality;

        // A loss at an unknown time may be recent.
        return quality is not { Lost: 0, LossUnknown: false }
            && (quality.LossSpans.IsEmpty
                || quality.LossSpans.Any(s => timeline.Now.MsSince(s.To) <= RecentMs)
                || quality.LossSpans.Sum(s => s.Ms) >= LostShare * timeline.CaptureMs);
    }
}

/// <summary>
/// Detects waits just below starvation: the queue is never empty, and by queue length and completion rate, items wait for most of a second.
/// A longer capture may prove a wait of a second, so the verdict is not Healthy.
/// </summary>
static class Borderline
{
    /// <summary>
    /// Minimum wait reported as borderline, milliseconds: half of a wait that counts as starvation. The runtime's starvation detection uses
    /// this limit for the time without a dequeue (GateThread, since .NET 6).
    /// </summary>
    const double WorthTellingMs = GateTiming.StarvationMs;

    /// <summary>
    /// Mean wait by Little's law in the newest series of samples with a queue, milliseconds; null below <see cref="WorthTellingMs"/>.
    /// </summary>
    public static double? WaitMs(TimelineSnapshot timeline) =>
        Lasting.LastRun(timeline, sample => sample is { QueueLength: > 0, Completed: not null, IntervalMs: > 0 }) is { Length: > 0 } run
            && run.Sum(b => b.Completed!.Value) is > 0 and var done
            && run.Sum(b => b.QueueLength!.Value * b.IntervalMs!.Value) / done is >= WorthTellingMs and var ms
            ? ms
            : null;
}

/// <summary>Decides whether counter samples are missing; a missing sample might have shown another state.</summary>
sealed class CounterSampleCoverage(TimelineSnapshot timeline)
{
    /// <summary>If an interval is longer than the shortest interval by more than this factor, a counter sample is missing.</summary>
    const double MissingSample = 1.5;

    /// <summary>Largest value that is used as the shortest interval, milliseconds: the default interval of one second.</summary>
    const double LongestMs = 1000;

    readonly double mostMs = MissingSample * Math.Min(
        LongestMs, timeline.CounterSamples.Select(b => b.IntervalMs).Where(ms => ms > 0).DefaultIfEmpty().Min() ?? LongestMs);

    /// <summary>Whether no sample is missing directly before this one; false for the first sample, whose interval is unknown.</summary>
    public bool IsNext(CounterSample sample) => sample.IntervalMs <= mostMs;

    /// <summary>Whether no sample is missing in a time span.</summary>
    public bool AreWhole(EventSpan span) => timeline.CounterSamples.Where(b => b.At > span.From && b.At <= span.To).All(IsNext);
}

/// <summary>The evidence that a memory reading adds to a finding; nothing if no reading was taken.</summary>
static class InsideEvidence
{
    /// <summary>Maximum number of kinds of queued items that are named.</summary>
    const int Most = 3;

    const string Source = "memory";

    /// <summary>Returns the number of queued items of each kind as evidence, the most frequent first.</summary>
    public static IEnumerable<Evidence> Queue(PoolEvidence report) => report.Inside?.Queue is { Kinds.IsDefaultOrEmpty: false } queue
        ? queue.Kinds.Where(k => k.Items > 0).Take(Most).Select(k => new Evidence($"Queued {k.Name}", k.Items, "items", Source))
        : [];

    /// <summary>The number of worker threads that wait for an item that is itself in the queue, as evidence.</summary>
    public static Evidence ForQueue(PoolEvidence report) => new("Worker threads that wait for a task whose continuation is in the queue",
        report.Inside is { } reading && InsideConclusion.ForQueue(reading) is > 0 and var count ? count : null, "threads", Source);
}

/// <summary>The evidence that stacks and items add to a finding; nothing if neither was captured.</summary>
static class DeepEvidence
{
    /// <summary>The share of the worker threads' samples in waits of the given kind, 0 to 1; 0 without stacks.</summary>
    public static double Share(PoolEvidence report, BlockKind kind) => (report.Blockers ?? []).Where(b => b.Kind == kind).Sum(b => b.Share);

    /// <summary>The two calls that hold the most worker threads, as evidence. Without <paramref name="kinds"/>, all waits count.</summary>
    public static IEnumerable<Evidence> Stacks(PoolEvidence report, params BlockKind[] kinds)
    {
        foreach (var blocker in (report.Blockers ?? [])
            .Where(b => b.Share >= Blocker.WorthNaming && (kinds.Length == 0 || kinds.Contains(b.Kind))).Take(2))
        {
            var held = blocker.Owner is { } owner ? $" (held by {owner})" : "";
            var what = IsRead(report) ? "Busy worker threads" : "Stack samples of worker threads";
            yield return new($"{what} in {blocker.Chain}{held}", blocker.Share * 100, "%",
                IsRead(report) ? "memory" : held == "" ? "stacks" : "stacks, event 81");
        }
    }

    /// <summary>Queue time, as evidence: while the pool starved, else in the whole capture. Empty if items were not watched.</summary>
    public static IEnumerable<Evidence> Delay(PoolEvidence report)
    {
        var (part, half) = report.Items?.StarvedDelay is { } starved
            ? (starved, "While the pool starved, half") : (report.QueueDelay, "Half");
        return part is not { IsKnown: true } ? [] :
        [
            AtLeast($"{half} of the items waited", part.HasEnoughFor(LowerBounds.P50) ? part.P50Ms : null, "events 30 and 31"),
            AtLeast("One in a hundred items waited",
                part.HasEnoughFor(LowerBounds.P99) && !IsOfHalf(part) ? part.P99Ms : null, "events 30 and 31"),
            Lasts(part) ? AtLeast("Longest queue time:", part.MaxMs, "events 30 and 31")
                : new("Longest queue time", part.MaxMs, "ms", "events 30 and 31"),
        ];
    }

    /// <summary>A lower bound of a duration in milliseconds, as evidence; evidence with null is not shown.</summary>
    public static Evidence AtLeast(string text, double? ms, string source) => new($"{text} at least", ms, "ms", source) { GoesOn = true };

    /// <summary>Whether the median and the 99th percentile are displayed as the same duration; then only the median is shown.</summary>
    public static bool IsOfHalf(Distribution part) =>
        part.HasEnoughFor(LowerBounds.P50) && Format.Duration(part.P50Ms) == Format.Duration(part.P99Ms);

    // Whether the longest queue time is only a lower bound: an item that still waits may wait longer than all dequeued items.
    static bool Lasts(Distribution part) => part.Unfinished > 0 || part.AtLeast.HasFlag(LowerBounds.Max);

    /// <summary>How long items held their worker threads, as evidence.</summary>
    public static IEnumerable<Evidence> Run(PoolEvidence report) => report.RunTime is not { IsKnown: true } run ? [] :
    [
        AtLeast("Half of the items held their thread for", run.HasEnoughFor(LowerBounds.P50) ? run.P50Ms : null, "event 31"),
        run.HasEnoughFor(LowerBounds.P99)
            ? AtLeast("One in a hundred items held its thread for", run.P99Ms, "event 31")
            : AtLeast($"{LongestOf(run)} held its thread for", run.MaxMs, "event 31"),
    ];

    static string LongestOf(Distribution run) => run.Counted == 1 ? "The only item" : $"The longest of {Format.Count(run.Counted)} items";

    /// <summary>The remedy for the call that holds the worker threads; without stacks, how to find that call.</summary>
    public static Remedy Mend(PoolEvidence report, Blocker? blocker, string otherwise, MissingDataHint? how = null) => blocker is null
        ? new(otherwise, how ?? MissingDataHint.None)
        : blocker.OwnerDoes is { } does
        ? new($"{KnownResource.Of(blocker, report.Bursts?.WaitsFor).Remedy}: {WhileHolding(does)}. "
            + $"In {Samples(report, blocker)}, the threads wait for this lock"
            + $"{(blocker.OwnerIsOutside ? "" : " or hold it")} ({blocker.Chain}). "
            + LessUnderLock)
        : new($"{KnownResource.Of(blocker, report.Bursts?.WaitsFor).Remedy}: {blocker.Chain}. "
            + $"{Samples(report, blocker)} are in this call.{Holder(blocker)}");

    // The share of samples in words. A number of threads would look like the thread count in other sentences of the report.
    static string Samples(PoolEvidence report, Blocker blocker) => $"{Format.Percent(blocker.Share)} of the "
        + (IsRead(report) ? "busy worker threads" : "stack samples of busy worker threads");

    /// <summary>What a blocker's share counts: <c>stack samples</c> or <c>busy worker threads</c>.</summary>
    public static string Sampled(PoolEvidence report) => IsRead(report) ? "busy worker threads" : "stack samples";

    // Whether the bursts are memory readings, which show each thread once.
    static bool IsRead(PoolEvidence report) => report.Bursts is { AreReadings: true };

    /// <summary>The remedy when the only known fact about the blocking is that the pool cannot detect it.</summary>
    public static Remedy MendUndetected(PoolEvidence report) => Mend(report, report.MainBlocker(),
        "Find the call that blocks the worker threads (lock, semaphore, sleep, synchronous I/O) "
            + "and replace it with an asynchronous one.", Hints.NamedBy(report));

    // The activity of the lock holder, described as a call, so that it is not mistaken for the path to the lock.
    static string WhileHolding(CallPath does)
    {
        var method = (does.IsLambda ? "a " : "") + does.Method;
        return does.Calls.IsEmpty ? $"the thread that holds the lock is in {method}"
            : $"{method} calls {string.Join(" > ", does.Calls)} while it holds the lock";
    }

    const string LessUnderLock = "Move code that does not need the lock out of the lock.";

    // The sentence about the probable lock holder, whose code under the lock must change; empty if the owner is known or none is likely.
    static string Holder(Blocker blocker) =>
        blocker is { Owner: null, PastLock: { } past } ? $" {BlockingPlaceWords.ProbableHolder(past)}. {LessUnderLock}" : "";
}
