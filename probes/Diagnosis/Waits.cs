using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Queries about the stretches in which items waited, shared by several rules.</summary>
static class Waits
{
    /// <summary>Whether items waited for worker threads, not for processors.</summary>
    public static bool IsStarving(PoolEvidence report) => report.Verdict.IsWait();

    /// <summary>Episodes in which items waited for worker threads.</summary>
    public static IEnumerable<StarvedEpisode> ForWorkers(PoolEvidence report) =>
        report.Episodes.Where(e => e.Kind is not (Verdict.Saturated or Verdict.Held));

    /// <summary>Whether the entry is an injection by the gate thread, for starvation or for task waits.</summary>
    public static bool IsInjection(InjectionDelay delay) =>
        delay.Reason == AdjustmentReason.Starvation
            || (delay.Reason == AdjustmentReason.CooperativeBlocking && delay.TargetThreadsAfter > delay.TargetThreadsBefore);

    /// <summary>Processor use while items waited, 0 to 1: the mean of the counter samples inside the episodes.</summary>
    public static double? Cpu(PoolEvidence report, IEnumerable<StarvedEpisode> episodes) =>
        CounterSamples(report.Timeline, episodes).Select(b => b.Cpu).Average();

    /// <summary>Items completed per second while items waited or were held; null when no counter sample shows it.</summary>
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
    /// How long an item has waited for a worker thread at least, milliseconds: proven by counter samples, or measured for single items,
    /// whose wait may begin before the first sample.
    /// </summary>
    public static double LongestMs(PoolEvidence report) => Math.Max(
        report.Episodes.Where(e => e.Kind.IsWait()).Select(e => e.ProvenWaitMs).DefaultIfEmpty().Max(),
        report.Items?.StarvedDelay is { IsKnown: true } measured ? measured.MaxMs : 0);

    /// <summary>The counter samples inside the episodes, each once, oldest first.</summary>
    public static IEnumerable<CounterSample> CounterSamples(TimelineSnapshot timeline, IEnumerable<StarvedEpisode> episodes)
    {
        var (samples, next) = (timeline.CounterSamples, 0);
        foreach (var span in episodes.Select(e => e.Span).OrderBy(span => span.From))
        {
            next = Math.Max(next, TimeOrder.FirstAfter(samples, span.From, b => b.At));
            for (; next < samples.Length && samples[next].At <= span.To; next++)
            {
                yield return samples[next];
            }
        }
    }

    /// <summary>The command that names the calls which hold the worker threads.</summary>
    public static string TakeStacks(PoolEvidence report) => $"dotnet tpwatch report {Who(report)} --depth stacks";

    /// <summary>How to measure the wait of each item, in a sentence about this report.</summary>
    public static HowTo ToItems(PoolEvidence report) =>
        new($"run dotnet tpwatch report {Who(report)} --depth items", "press 4, then t twice");

    /// <summary>The command that lists the requests of a server with their times.</summary>
    public static HowTo ListRequests(PoolEvidence report) => Same(
        $". To list the routes of an ASP.NET Core server with their times, run dotnet tpwatch report {Who(report)} --verbose");

    /// <summary>A way that is the same on the screen.</summary>
    public static HowTo Same(string way) => new(way, way);

    /// <summary>How to take stacks, in a sentence about this report.</summary>
    public static HowTo ToStacks(PoolEvidence report) => new($"run {TakeStacks(report)}", "press t");

    /// <summary>A further sentence with the command that finds a call; empty when stacks were taken.</summary>
    public static HowTo NamedBy(PoolEvidence report, string what = "To find the call") => How(report, $" {what}, ", ".");

    /// <summary>
    /// That sentence after a sentence without its full stop, about facts that only stacks show; empty when stacks were taken.
    /// </summary>
    public static HowTo OrFindOut(PoolEvidence report) => How(report, ". To find out, ", "");

    static HowTo How(PoolEvidence report, string before, string after)
    {
        after = (IsOver(report) || IsEmptyNow(report) ? " when items wait again" : Meanwhile(report)) + after;
        return WereStacksTaken(report) ? HowTo.None : ToStacks(report).In(before, after);
    }

    // The recorded state may not continue now.
    static string Meanwhile(PoolEvidence report) => !IsOfThePast(report) || IsOver(report) || IsEmptyNow(report) ? ""
        : report.Verdict == Verdict.Held ? " while the threads hang" : " while items wait";

    static bool IsEmptyNow(PoolEvidence report) =>
        IsOfThePast(report) && report.Verdict.IsStarvation() && report.Verdict != Verdict.Held && report.Timeline.Levels.QueueLength == 0;

    /// <summary>Whether the problem has ended.</summary>
    public static bool IsOver(PoolEvidence report) => !report.IsNow && report.Verdict.IsTrouble();

    /// <summary>Whether stacks were taken, whatever they showed: then no text suggests taking them.</summary>
    public static bool WereStacksTaken(PoolEvidence report) => report.Blockers is not null;

    /// <summary>The information that a rule about the state of worker threads lacks.</summary>
    public static string NoStacks(PoolEvidence report) =>
        WereStacksTaken(report) ? "the stacks show no thread at work" : "no stacks show what the threads did";

    /// <summary>The information that such a rule lacks when the processors were busy.</summary>
    public static Missing MissingStacksOfComputing(PoolEvidence report) =>
        new(MissingKind.Stacks, $"the processors were busy, so the threads may be computing, not blocked; {NoStacks(report)}");

    /// <summary>
    /// The option that names the process in a command. The id of a process that has ended, or may have, is invalid or belongs to another
    /// process; its name finds the process that runs now.
    /// </summary>
    public static string Who(PoolEvidence report) => report.Timeline.Target.IsElsewhere ? "--dport PORT"
        : IsOfThePast(report) && report.Timeline.Target.Pid > 0 && IsOneWord(report.Timeline.Target.Name)
            ? $"-n {report.Timeline.Target.Name}"
        : $"-p {Pid(report)}";

    static bool IsOfThePast(PoolEvidence report) => report.Timeline.Source == SessionSource.Recording
        || report.End is SessionEnd.TargetExited or SessionEnd.TargetKilled;

    static bool IsOneWord(string name) => name.Length > 0 && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-');

    /// <summary>The process id for a command line; a placeholder for a recording without it.</summary>
    public static string Pid(PoolEvidence report) =>
        report.Timeline.Target.Pid is > 0 and var pid ? pid.ToString(System.Globalization.CultureInfo.InvariantCulture) : "PID";
}

/// <summary>Detects conditions that counter samples show for some time and not only for a moment.</summary>
static class Lasting
{
    /// <summary>
    /// Number of counter samples in a row. One reading may meet a burst that is gone a moment later; three in a row do not.
    /// </summary>
    const int CounterSamples = 3;

    /// <summary>How long ago a condition may have ended to count for a user who looks now, milliseconds.</summary>
    const double RecentMs = 30_000;

    /// <summary>Whether <see cref="CounterSamples"/> counter samples in a row show the condition.</summary>
    public static bool Shows(TimelineSnapshot timeline, Func<CounterSample, bool> it) => Shows(timeline.CounterSamples.AsSpan(), it);

    /// <summary>
    /// Whether <see cref="CounterSamples"/> counter samples in a row have shown the condition recently; an earlier series does not count.
    /// </summary>
    public static bool ShowsLately(TimelineSnapshot timeline, Func<CounterSample, bool> it) =>
        Shows(timeline.CounterSamples.AsSpan()[Lately(timeline)..], it);

    /// <summary>
    /// The last series of at least <see cref="CounterSamples"/> counter samples that shows the condition recently; empty when there is
    /// none.
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

    // This runs for each report and frame, so it does not walk the counter samples of a day for the last thirty.
    static int Lately(TimelineSnapshot timeline) =>
        TimeOrder.FirstAfter(timeline.CounterSamples, timeline.Now.PlusMs(-RecentMs), sample => sample.At);

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

/// <summary>
/// Episodes that do not overlap, for queries about many times: each query takes a few steps, however many episodes there are.
/// </summary>
sealed class Stretches(IEnumerable<StarvedEpisode> episodes)
{
    readonly ImmutableArray<EventSpan> spans = [.. episodes.Select(e => e.Span).OrderBy(span => span.From)];

    /// <summary>Whether an episode shares time with the span between two times.</summary>
    public bool Touch(EventTime from, EventTime to) =>
        TimeOrder.FirstAfter(spans, from, span => span.To) is var first && first < spans.Length && spans[first].From < to;

    /// <summary>Whether a given time is in an episode, including its first and last moment.</summary>
    public bool Hold(EventTime at) => Touch(new(at.Nanoseconds - 1), new(at.Nanoseconds + 1));
}

/// <summary>
/// Decides whether past events still matter, by their age and share: one task wait at the start does not make the verdict of a day
/// compensated, and one lost event does not make it undecided.
/// </summary>
static class Significance
{
    /// <summary>How recent an event must be to count for a user who looks now, milliseconds.</summary>
    const double RecentMs = 60_000;

    /// <summary>The share of minutes with an event from which it counts as recurring.</summary>
    const double HabitShare = 0.1;

    /// <summary>The share of time with lost events from which the rest cannot be called healthy.</summary>
    const double LostShare = 0.05;

    /// <summary>Whether the times are recent, or spread over a tenth of the capture's minutes.</summary>
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

        return minutes.Count * RecentMs >= HabitShare * Standstill.CaptureMs(timeline) && minutes.Count > 0;
    }

    /// <summary>Whether losses are large or recent enough that "no item waited" is not certain.</summary>
    public static bool IsLossWorthTelling(TimelineSnapshot timeline)
    {
        var quality = timeline.Quality;
        if (quality is { Lost: 0, LossUnknown: false })
        {
            return false;
        }

        // A loss without a known time may be anywhere.
        return quality.LossSpans.IsEmpty
            || quality.LossSpans.Any(s => timeline.Now.MsSince(s.To) <= RecentMs)
            || quality.LossSpans.Sum(s => s.Ms) >= LostShare * Standstill.CaptureMs(timeline);
    }
}

/// <summary>
/// Detects waits just below starvation: the queue is never empty, and by its length and rate items wait for most of a second. A longer
/// capture or another time may prove a wait of a second, so the pool is not called healthy.
/// </summary>
static class Borderline
{
    /// <summary>
    /// The shortest wait reported as borderline, milliseconds: half of a wait that counts as starvation. The runtime's own starvation
    /// detection triggers after this time without a dequeue (GateThread, since .NET 6).
    /// </summary>
    const double WorthTellingMs = GateTiming.StarvationMs;

    /// <summary>
    /// How long items wait by Little's law in the newest series of samples with a queue, milliseconds; null below the border.
    /// </summary>
    public static double? WaitMs(TimelineSnapshot timeline) =>
        Lasting.LastRun(timeline, sample => sample is { QueueLength: > 0, Completed: not null, IntervalMs: > 0 }) is { Length: > 0 } run
            && run.Sum(b => b.Completed!.Value) is > 0 and var done
            && run.Sum(b => b.QueueLength!.Value * b.IntervalMs!.Value) / done is >= WorthTellingMs and var ms
            ? ms
            : null;
}

/// <summary>
/// Decides whether the beginning of a problem was observed. After a late attach, the first observation of the problem is not its beginning.
/// </summary>
static class StartObserved
{
    /// <summary>
    /// How soon after the start of the capture a problem has mostly begun before it, milliseconds: one and a half counter samples.
    /// </summary>
    const double AtTheStartMs = 1500;

    /// <summary>Whether the problem began so soon after the capture that the time before is unknown.</summary>
    public static bool IsAtTheStart(TimelineSnapshot timeline, EventTime from) =>
        !IsWhole(timeline) && from.MsSince(timeline.Start) <= AtTheStartMs;

    /// <summary>
    /// Whether some earlier counter sample shows the pool without the problem: an empty queue; for a hang, where no item waits, completed
    /// items or fewer worker threads. If no earlier samples are kept, the beginning counts as observed.
    /// </summary>
    public static bool IsSeen(PoolEvidence report, EventTime from)
    {
        var samples = report.Timeline.CounterSamples;
        var before = samples.AsSpan()[..TimeOrder.FirstAfter(samples, from, sample => sample.At)];
        return IsWhole(report.Timeline) || (!IsAtTheStart(report.Timeline, from)
            && (before.IsEmpty || ShowsNone(before, report.Verdict == Verdict.Held, before[^1].Workers)));
    }

    // A launched process is observed from its first instruction.
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

/// <summary>Decides whether counter samples arrived as often as they should; a missing one might have shown something.</summary>
sealed class Readings(TimelineSnapshot timeline)
{
    /// <summary>The interval of a counter sample, as a multiple of the shortest one, from which another one is missing before it.</summary>
    const double MissingSample = 1.5;

    /// <summary>The default interval of counter samples, milliseconds; a longer interval does not show single seconds.</summary>
    const double LongestMs = 1000;

    readonly double mostMs = MissingSample * Math.Min(
        LongestMs, timeline.CounterSamples.Select(b => b.IntervalMs).Where(ms => ms > 0).DefaultIfEmpty().Min() ?? LongestMs);

    /// <summary>Whether no other sample is missing before a counter sample; unknown for the first one.</summary>
    public bool IsNext(CounterSample sample) => sample.IntervalMs <= mostMs;

    /// <summary>Whether no sample is missing in a time span.</summary>
    public bool AreWhole(EventSpan span) =>
        timeline.CounterSamples.Where(b => b.At > span.From && b.At <= span.To).All(IsNext);
}
