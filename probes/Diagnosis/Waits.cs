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
