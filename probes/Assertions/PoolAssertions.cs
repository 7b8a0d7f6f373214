using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Assertions;

/// <summary>Assertions on a report, for tests. A failed assertion throws <see cref="PoolAssertionException"/>.</summary>
public static class PoolAssertions
{
    /// <summary>
    /// Asserts that no item waited because all worker threads were busy, and that no work hung. Undetected starvation counts as well. Also
    /// fails if the capture cannot show this, because events were lost or it is shorter than two seconds. Returns the report.
    /// </summary>
    public static PoolReport ShouldNotStarve(this PoolReport report) =>
        Must(report, new StarvationCondition("starvation"), "The thread pool starved.", "It is not known whether the thread pool starved");

    /// <summary>
    /// Asserts that none of the rules with these ids, such as <c>TPW005</c>, found anything. Also fails if a rule lacks the data to decide.
    /// Returns the report.
    /// </summary>
    /// <exception cref="ArgumentException">One of <paramref name="rules"/> is not the id of a finding rule.</exception>
    public static PoolReport ShouldNotFind(this PoolReport report, params string[] rules)
    {
        foreach (var id in rules)
        {
            if (!FindingCatalogue.Findings.Any(f => f.Id == id))
            {
                throw new ArgumentException($"There is no rule {id}.", nameof(rules));
            }

            Must(report, new RuleFoundCondition(id), $"{id} was found.", $"It is not known whether {id} applies");
        }

        return report;
    }

    /// <summary>
    /// Asserts that no wait for a worker thread was longer than <paramref name="limit"/>. Also fails if the capture is not complete enough
    /// to show this. Returns the report.
    /// </summary>
    public static PoolReport ShouldNotWaitLongerThan(this PoolReport report, TimeSpan limit)
    {
        var delay = ConditionMeasure.All.Single(m => m.Name == "gap");
        var condition = new ThresholdCondition($"gap>{Format.Duration(limit.TotalMilliseconds)}", delay, limit.TotalMilliseconds);
        return Must(report, condition, $"Items waited for a worker thread for more than {Format.Duration(limit.TotalMilliseconds)}.",
            "It is not known how long items waited for a worker thread");
    }

    static PoolReport Must(PoolReport report, Condition condition, string met, string open)
    {
        var answer = condition.Look(report);
        return answer.Outcome switch
        {
            ConditionOutcome.NotMet => report,
            ConditionOutcome.Met => throw new PoolAssertionException(AssertionMessage.Of(report, met), report),
            _ => throw new PoolAssertionException(AssertionMessage.Of(report, $"{open}: {answer.Reason.TrimEnd('.')}."), report),
        };
    }
}

/// <summary>Thrown when an assertion on a report does not hold.</summary>
/// <param name="message">Which assertion failed, and the state of the pool in the words of the report.</param>
/// <param name="report">The report on which the assertion failed.</param>
public sealed class PoolAssertionException(string message, PoolReport report) : Exception(message), IAssertionException
{
    /// <summary>The complete report.</summary>
    public PoolReport Report { get; } = report;
}

/// <summary>Marks the exception as a failed assertion: xunit recognizes an interface of this name.</summary>
interface IAssertionException;

/// <summary>Builds the message of a failed assertion: verdict, findings, remedies, longest waits, and a summary of the capture.</summary>
static class AssertionMessage
{
    /// <summary>Maximum number of waits for a worker thread in the message.</summary>
    const int ToldWaits = 3;

    public static string Of(PoolReport report, string what) => string.Join('\n',
    [
        what, "", report.Headline,
        .. report.Findings.OrderByDescending(f => f.Severity).SelectMany(Lines), .. Waits(report), Basis(report),
    ]);

    static string[] Lines(Finding finding) =>
    [
        $"{finding.Id} {finding.Severity.ToString().ToLowerInvariant()}: {finding.Title}",
        $"  {finding.Headline}",
        .. finding.Evidence.Select(e => $"  - {e.Text}{(e.Value is { } known ? e.Joint + Told(known, e.Unit) : "")}"),
        .. finding.Remedies.Select(remedy => $"  > {RemedyWords.Of(remedy)}"),
    ];

    static string Told(double value, string? unit) => unit switch
    {
        "ms" => Format.Duration(value),
        "workers" => Format.Plural((long)Math.Round(value), "worker thread"),
        "gaps" => Format.Plural((long)Math.Round(value), "injection delay"),
        _ => $"{value.ToString("0.###", CultureInfo.InvariantCulture)} {unit}".TrimEnd(),
    };

    static IEnumerable<string> Waits(PoolReport report)
    {
        var waits = report.InjectionDelays.Where(g => g.IsWait && g.ObservedMs is not null).ToList();
        yield return $"{Format.Plural(waits.Count, "wait")} for a worker thread{(waits.Count > ToldWaits ? ", the longest ones" : "")}:";
        foreach (var delay in waits.OrderByDescending(g => g.ObservedMs).Take(ToldWaits).OrderBy(g => g.Number))
        {
            var before = delay.TargetThreadsBefore?.ToString(CultureInfo.InvariantCulture) ?? "?";
            var targetThreads = delay.TargetThreadsAfter is { } after ? $", target {before}->{after.ToString(CultureInfo.InvariantCulture)}"
                : "";
            var rule = delay.Mechanism == Mechanism.None ? "" : FormattableString.Invariant($", G{(int)delay.Mechanism}");
            var until = Format.Elapsed(delay.End.MsSince(report.Timeline.Start));
            yield return $"  waited {Format.Ms(delay.ObservedMs!.Value)} until {until} s{targetThreads}{rule}: {delay.Because}";
        }
    }

    static string Basis(PoolReport report)
    {
        var quality = report.Timeline.Quality;
        var lost = quality.LossUnknown ? "an unknown number lost" : $"{Format.Count(quality.Lost)} lost";
        return $"Seen in {Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start))} of {report.Timeline.Target.Name}: "
            + $"{Format.Plural(quality.Events, "event")}, {lost}; "
            + $"largest number of worker threads {(report.MaxWorkers is { } workers ? Format.Count(workers) : "?")}, "
            + $"largest queue length {(report.MaxQueueLength is { } queueLength ? Format.Count(queueLength) : "?")}.";
    }
}
