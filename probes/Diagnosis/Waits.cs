using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Queries about the episodes in which items waited, shared by several rules.</summary>
static class Waits
{
    /// <summary>Whether the verdict is that items waited for worker threads, not for processors.</summary>
    public static bool IsStarving(PoolEvidence report) => report.Verdict.IsWait();

    /// <summary>Episodes in which items waited for worker threads.</summary>
    public static IEnumerable<StarvedEpisode> ForWorkers(PoolEvidence report) =>
        report.Episodes.Where(e => e.Kind is not (Verdict.Saturated or Verdict.Held));

    /// <summary>Whether the gate thread raised the target thread count, for starvation or for task waits.</summary>
    public static bool IsInjection(InjectionDelay delay) =>
        delay.Reason == AdjustmentReason.Starvation
            || (delay.Reason == AdjustmentReason.CooperativeBlocking && delay.TargetThreadsAfter > delay.TargetThreadsBefore);

    /// <summary>Processor use while items waited, 0 to 1: the mean of the counter samples inside the episodes.</summary>
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

    /// <summary>The longest proven wait, as evidence.</summary>
    public static Evidence Longest(PoolEvidence report) =>
        DeepEvidence.AtLeast("An item waited in the queue for", LongestMs(report), "heartbeat");

    /// <summary>
    /// Lower bound of the longest wait for a worker thread, milliseconds. The wait is proven by counter samples, or measured for single
    /// items, whose wait may begin before the first sample.
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

    /// <summary>The command that names the calls which hold the worker threads.</summary>
    public static string TakeStacks(PoolEvidence report) => $"dotnet tpwatch report {Who(report)} --depth stacks";

    /// <summary>How to measure the queue time of each item, as part of a sentence.</summary>
    public static MissingDataHint ToItems(PoolEvidence report) =>
        new($"run dotnet tpwatch report {Who(report)} --depth items", "press 4, then t twice");

    /// <summary>The command that lists the requests of a server with their times.</summary>
    public static MissingDataHint ListRequests(PoolEvidence report) => Same(
        $". To list the routes of an ASP.NET Core server with their times, run dotnet tpwatch report {Who(report)} --verbose");

    /// <summary>An instruction that is the same on the command line and on the screen.</summary>
    public static MissingDataHint Same(string way) => new(way, way);

    /// <summary>How to take stacks, as part of a sentence.</summary>
    public static MissingDataHint ToStacks(PoolEvidence report) => new($"run {TakeStacks(report)}", "press t");

    /// <summary>A sentence with the command that finds a call by stacks; empty when stacks were taken.</summary>
    public static MissingDataHint NamedBy(PoolEvidence report, string what = "To find the call") => How(report, $" {what}, ", ".");

    /// <summary>
    /// A sentence with the command that takes stacks, after a sentence without a final full stop; empty when stacks were taken.
    /// </summary>
    public static MissingDataHint OrFindOut(PoolEvidence report) => How(report, ". To find out, ", "");

    static MissingDataHint How(PoolEvidence report, string before, string after)
    {
        after = (IsOver(report) || IsEmptyNow(report) ? " when items wait again" : Meanwhile(report)) + after;
        return WereStacksTaken(report) ? MissingDataHint.None : ToStacks(report).In(before, after);
    }

    // When to take stacks of a process in the past: the recorded state may not continue now.
    static string Meanwhile(PoolEvidence report) => !IsOfThePast(report) || IsOver(report) || IsEmptyNow(report) ? ""
        : report.Verdict == Verdict.Held ? " while the threads hang" : " while items wait";

    static bool IsEmptyNow(PoolEvidence report) =>
        IsOfThePast(report) && report.Verdict.IsStarvation() && report.Verdict != Verdict.Held && report.Timeline.Levels.QueueLength == 0;

    /// <summary>Whether there was a problem that has ended.</summary>
    public static bool IsOver(PoolEvidence report) => !report.IsNow && report.Verdict.IsTrouble();

    /// <summary>Whether stacks were taken, whatever they showed: then no text suggests taking them.</summary>
    public static bool WereStacksTaken(PoolEvidence report) => report.Blockers is not null;

    /// <summary>The data that a rule about the state of worker threads lacks.</summary>
    public static string NoStacks(PoolEvidence report) =>
        WereStacksTaken(report) ? "the stacks show no thread at work" : "no stacks show what the threads did";

    /// <summary>The data that a rule about the state of worker threads lacks when the processors were busy.</summary>
    public static MissingData MissingStacksOfComputing(PoolEvidence report) =>
        new(MissingKind.Stacks, $"the processors were busy, so the threads may be computing, not blocked; {NoStacks(report)}");

    /// <summary>
    /// The option that names the process in a command. If the process has ended, or may have, its id is invalid or belongs to another
    /// process. The name then finds the process that runs now.
    /// </summary>
    public static string Who(PoolEvidence report) => report.Timeline.Target.IsElsewhere ? "--dport PORT"
        : IsOfThePast(report) && report.Timeline.Target.Pid > 0 && IsOneWord(report.Timeline.Target.Name)
            ? $"-n {report.Timeline.Target.Name}"
        : $"-p {Pid(report)}";

    static bool IsOfThePast(PoolEvidence report) => report.Timeline.Source == SessionSource.Recording || report.End.IsOfTarget();

    static bool IsOneWord(string name) => name.Length > 0 && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-');

    /// <summary>The process id for a command line; a placeholder for a recording without an id.</summary>
    public static string Pid(PoolEvidence report) =>
        report.Timeline.Target.Pid is > 0 and var pid ? pid.ToString(System.Globalization.CultureInfo.InvariantCulture) : "PID";
}

/// <summary>Detects conditions that counter samples show for some time, and not only for a moment.</summary>
static class Lasting
{
    /// <summary>
    /// Minimum number of consecutive counter samples with a condition. One sample may meet a burst that ends a moment later; three do not.
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
/// Decides by age and frequency whether past events still matter. One task wait at the start of a day does not give the verdict
/// Compensated, and one lost event does not give the verdict Undecided.
/// </summary>
static class EventRelevance
{
    /// <summary>Maximum age of a recent event, milliseconds.</summary>
    const double RecentMs = 60_000;

    /// <summary>Minimum share of the capture's minutes with an event, for events that recur.</summary>
    const double HabitShare = 0.1;

    /// <summary>Minimum share of the capture with lost events that rules out the verdict Healthy.</summary>
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

        return minutes.Count * RecentMs >= HabitShare * ProcessStandstill.CaptureMs(timeline) && minutes.Count > 0;
    }

    /// <summary>Whether lost events are too many or too recent for certainty that no item waited.</summary>
    public static bool IsLossWorthTelling(TimelineSnapshot timeline)
    {
        var quality = timeline.Quality;
        if (quality is { Lost: 0, LossUnknown: false })
        {
            return false;
        }

        // A loss at an unknown time may be recent.
        return quality.LossSpans.IsEmpty
            || quality.LossSpans.Any(s => timeline.Now.MsSince(s.To) <= RecentMs)
            || quality.LossSpans.Sum(s => s.Ms) >= LostShare * ProcessStandstill.CaptureMs(timeline);
    }
}

/// <summary>
/// Detects waits just below starvation: the queue is never empty, and by queue length and rate, items wait for most of a second. A longer
/// capture may prove a wait of a second, so the pool is not called healthy.
/// </summary>
static class Borderline
{
    /// <summary>
    /// Minimum wait reported as borderline, milliseconds: half of a wait that counts as starvation. The runtime's own starvation detection
    /// triggers after the same time without a dequeue (GateThread, since .NET 6).
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

/// <summary>
/// Decides whether the beginning of a problem was observed; after a late attach, a problem may be older than its first observation.
/// </summary>
static class ProblemOnset
{
    /// <summary>
    /// Maximum time from the start of the capture to a problem that probably began earlier, milliseconds: one and a half counter samples.
    /// </summary>
    const double AtTheStartMs = 1500;

    /// <summary>Whether the problem was first seen so soon after the start of the capture that the true beginning is unknown.</summary>
    public static bool IsAtTheStart(TimelineSnapshot timeline, EventTime from) =>
        !IsWhole(timeline) && from.MsSince(timeline.Start) <= AtTheStartMs;

    /// <summary>
    /// Whether the beginning was observed: an earlier counter sample shows an empty queue. For a hang, in which no item waits, it must show
    /// completed items or fewer worker threads instead. If no earlier samples are kept, the beginning counts as observed.
    /// </summary>
    public static bool IsSeen(PoolEvidence report, EventTime from)
    {
        var samples = report.Timeline.CounterSamples;
        var before = samples.AsSpan()[..TimeOrderedSearch.FirstAfter(samples, from, sample => sample.At)];
        return IsWhole(report.Timeline) || (!IsAtTheStart(report.Timeline, from)
            && (before.IsEmpty || ShowsNone(before, report.Verdict == Verdict.Held, before[^1].Workers)));
    }

    // Whether the process was launched by tpwatch, and so observed from its first instruction.
    static bool IsWhole(TimelineSnapshot timeline) => timeline.Source == SessionSource.Launched;

    static bool ShowsNone(ReadOnlySpan<CounterSample> before, bool held, int? workers)
    {
        foreach (var sample in before)
        {
            if (held ? sample.Completed > 0 || sample.Workers < workers : sample.QueueLength == 0)
            {
                return true;
            }
        }

        return false;
    }
}

/// <summary>Decides whether counter samples are missing; a missing sample might have shown another state.</summary>
sealed class CounterSampleCoverage(TimelineSnapshot timeline)
{
    /// <summary>Factor on the shortest interval of counter samples; a longer interval shows that a sample is missing.</summary>
    const double MissingSample = 1.5;

    /// <summary>Upper bound of the shortest interval, milliseconds: the default interval of one second.</summary>
    const double LongestMs = 1000;

    readonly double mostMs = MissingSample * Math.Min(
        LongestMs, timeline.CounterSamples.Select(b => b.IntervalMs).Where(ms => ms > 0).DefaultIfEmpty().Min() ?? LongestMs);

    /// <summary>Whether no sample is missing directly before this one; false if the interval is unknown, as for the first.</summary>
    public bool IsNext(CounterSample sample) => sample.IntervalMs <= mostMs;

    /// <summary>Whether no sample is missing in a time span.</summary>
    public bool AreWhole(EventSpan span) => timeline.CounterSamples.Where(b => b.At > span.From && b.At <= span.To).All(IsNext);
}
