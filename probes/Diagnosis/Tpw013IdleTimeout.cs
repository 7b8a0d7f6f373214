using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Finds worker threads that ended because they were idle, so that later items waited until the pool had added threads again.
/// </summary>
sealed class Tpw013IdleTimeout : IFindingRule
{
    /// <summary>The first runtime version that reads the settings for idle worker threads.</summary>
    const int FirstWithSettings = 8;

    /// <summary>Factor by which the recommended timeout exceeds the observed pause, because pauses vary.</summary>
    const double Allowance = 1.5;

    /// <summary>The runtime's default timeout of an idle worker thread, milliseconds.</summary>
    const double DefaultLivesMs = 20_000;

    public string Id => "TPW013";
    public string Title => "Idle worker threads ended and were needed again";

    public FindingMeaning Text { get; } = new(
        "A worker thread ends after 20 s without a work item.",
        "Above MinThreads, the pool then also lowers the target thread count. Items that arrive later wait until the pool has added the "
            + "threads again, one or two a second.",
        "Thread count adjustments with the reason ThreadTimedOut, or a thread count that falls between counter samples. Threads added "
            + "afterwards while items waited.",
        "Await what blocks the worker threads, so that the items need fewer threads. Workaround: a larger MinThreads. From .NET 8 on, you "
            + "can instead raise System.Threading.ThreadPool.ThreadTimeoutMs.",
        "After a one-time burst, the threads should end. So this check requires that the pool needed threads again.");

    public FindingCause Cause(PoolEvidence report) => new(CauseKind.Effect, "idle worker threads ended before new work arrived");

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var ended = report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.ThreadTimedOut)
            .Select(g => g.End).Concat(Fewer(report)).Order().ToArray();
        var most = MostBefore(report, ended);
        var again = ended.Length == 0 ? [] : report.InjectionDelays
            .Where(g => g.Mechanism == Mechanism.G15TimeoutChurn
                || (g.IsInjection && g.QueueLength is null or > 0 && g.End > ended[0]
                    && g.TargetThreadsAfter <= most[LastBefore(ended, g.End)]))
            .ToArray();
        return again.Length > 0 ? new FindingRuleAnswer.Found(Describe(report, ended, again))
            : MissingEvidence.ClearUnless(
                MissingEvidence.Events(report, "the end of an idle thread"), MissingEvidence.Older(report),
                report.Adjustments.ContainsKey(AdjustmentReason.ThreadTimedOut) ? MissingEvidence.CounterSamples(report) : null);
    }

    // Times at which a counter sample shows fewer worker threads: idle threads ended. Below MinThreads, no adjustment shows such an end.
    static IEnumerable<EventTime> Fewer(PoolEvidence report) =>
        report.Timeline.CounterSamples.Zip(report.Timeline.CounterSamples.Skip(1))
            .Where(p => p.Second.Workers < p.First.Workers).Select(p => p.Second.At);

    // For each end of an idle thread, the largest number of worker threads before it. Later injections up to that number only restore
    // threads. One pass over all data, because there can be thousands of delays.
    static int?[] MostBefore(PoolEvidence report, EventTime[] ended)
    {
        var (samples, delays) = (report.Timeline.CounterSamples, report.InjectionDelays);
        var (sample, delay, most) = (0, 0, (int?)null);
        var before = new int?[ended.Length];
        for (var i = 0; i < ended.Length; i++)
        {
            for (; sample < samples.Length && samples[sample].At < ended[i]; sample++)
            {
                most = More(most, samples[sample].Workers);
            }

            for (; delay < delays.Length && delays[delay].End <= ended[i]; delay++)
            {
                most = More(most, delays[delay].TargetThreadsBefore);
            }

            before[i] = most;
        }

        return before;
    }

    static int? More(int? one, int? other) => one > other ? one : other ?? one;

    static int LastBefore(EventTime[] ended, EventTime at) => TimeOrderedSearch.FirstFrom(ended, at, end => end) - 1;

    Finding Describe(PoolEvidence report, EventTime[] ended, InjectionDelay[] again)
    {
        var needed = Math.Max(again.Max(g => g.TargetThreadsAfter ?? 0), report.MaxWorkers ?? 0);
        var pause = PauseMs(report, again[^1].End);
        var timeouts = report.Adjustments.GetValueOrDefault(AdjustmentReason.ThreadTimedOut);
        return new(
            Id, Title, Severity.Warning, timeouts > 0 ? Confidence.High : Confidence.Medium, ended[0], again[^1].End,
            "Idle worker threads ended during a pause. The work items that came afterwards waited until the pool had added "
                + $"{Format.Plural(again.Length, "thread")} again.",
            [
                new("Target thread count lowered for idle threads", timeouts, "times", "event 55"),
                new("Threads added again while items waited", again.Length, "workers", "event 55"),
                new("Total of the injection delays of these threads", again.Sum(g => g.ObservedMs ?? 0), "ms", "gap ledger"),
                new("Longest pause without work items", pause, "ms", "heartbeat"),
            ],
            [
                new("Replace the calls that block worker threads with asynchronous ones. Then items that arrive after a pause need no "
                    + "extra threads."),
                MinThreadsRemedy.Of(report),
                .. report.Timeline.Target.RuntimeMajor is null or >= FirstWithSettings
                    ? [Longer(pause, LivesMs(report.Timeline.Target)), KeepAlive(needed)]
                    : Array.Empty<Remedy>(),
            ]);
    }

    static Remedy KeepAlive(int needed) => new(
        $"Or let the pool always keep {Format.Plural(needed, "worker thread")}, the largest number in this capture.",
        $"DOTNET_ThreadPool_ThreadsToKeepAlive={needed} (decimal), or \"System.Threading.ThreadPool.ThreadsToKeepAlive\": "
            + $"{needed} in runtimeconfig.json (.NET 8 and later)");

    static Remedy Longer(double pauseMs, double livesMs)
    {
        var ms = (long)(Math.Ceiling(Math.Max(pauseMs, livesMs) * Allowance / 10_000) * 10_000);
        return new(
            $"Or keep idle worker threads for {Format.Rough(ms)} instead of {Format.Rough(livesMs)}, well beyond the pause.",
            string.Create(
                CultureInfo.InvariantCulture,
                $"DOTNET_ThreadPool_ThreadTimeoutMs={ms} (decimal), or \"System.Threading.ThreadPool.ThreadTimeoutMs\": "
                    + $"{ms} in runtimeconfig.json (.NET 8 and later)"));
    }

    // The idle timeout. The environment variable is decimal, unlike most variables of the pool.
    static double LivesMs(TargetFacts target) =>
        double.TryParse(PoolSwitch.Of(target, "ThreadTimeoutMs")?.Value, NumberStyles.Integer, CultureInfo.InvariantCulture, out var ms)
        && ms > 0 ? ms : DefaultLivesMs;

    /// <summary>Duration of the longest series of counter samples without queue or completions before a given time, milliseconds.</summary>
    static double PauseMs(PoolEvidence report, EventTime until)
    {
        var (longest, run) = (0.0, 0.0);
        foreach (var sample in report.Timeline.CounterSamples.Where(b => b.At < until))
        {
            run = sample is { QueueLength: 0, Completed: 0 or null } ? run + (sample.IntervalMs ?? 0) : 0;
            longest = Math.Max(longest, run);
        }

        return longest;
    }
}
