using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Assertions;

/// <summary>What a test says of a report. Each throws <see cref="PoolAssertionException"/>, whose message reads like the report.</summary>
public static class PoolAssertions
{
    /// <summary>
    /// No item waited while every worker was held, whether the runtime noticed or not; and the capture could have shown it: events that
    /// were lost, or fewer than two seconds of observation, fail as well. Returns the report.
    /// </summary>
    public static PoolReport ShouldNotStarve(this PoolReport report) =>
        Must(report, new StarvationCondition("starvation"), "The thread pool starved.", "It is not known whether the thread pool starved");

    /// <summary>None of these rules found anything, such as <c>TPW005</c>, and each could decide. Returns the report.</summary>
    /// <exception cref="ArgumentException">There is no such rule.</exception>
    public static PoolReport ShouldNotFind(this PoolReport report, params string[] rules)
    {
        foreach (var id in rules)
        {
            if (!FindingCatalogue.Findings.Any(f => f.Id == id))
            {
                throw new ArgumentException($"There is no rule {id}.", nameof(rules));
            }

            Must(report, new RuleCondition(id), $"{id} was found.", $"It is not known whether {id} applies");
        }

        return report;
    }

    /// <summary>Nobody waited for a worker for longer than this, and the capture could have shown it. Returns the report.</summary>
    public static PoolReport ShouldNotWaitLongerThan(this PoolReport report, TimeSpan limit)
    {
        var gap = Measure.All.Single(m => m.Name == "gap");
        var condition = new ThresholdCondition($"gap>{Format.Duration(limit.TotalMilliseconds)}", gap, limit.TotalMilliseconds);
        return Must(report, condition, $"Items waited for a worker thread for more than {Format.Duration(limit.TotalMilliseconds)}.",
            "It is not known how long items waited for a worker thread");
    }

    static PoolReport Must(PoolReport report, Condition condition, string met, string open)
    {
        var answer = condition.Look(report);
        return answer.Outcome switch
        {
            Outcome.NotMet => report,
            Outcome.Met => throw new PoolAssertionException(FailureText.Of(report, met), report),
            _ => throw new PoolAssertionException(FailureText.Of(report, $"{open}: {answer.Reason.TrimEnd('.')}."), report),
        };
    }
}
