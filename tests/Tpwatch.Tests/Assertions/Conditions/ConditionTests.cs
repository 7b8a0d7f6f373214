using Tpwatch.Assertions;
using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Assertions.Conditions;

public sealed class ConditionTests
{
    [Fact]
    public void What_was_seen_suffices_for_a_yes_though_the_capture_is_poor()
    {
        var report = Lossy(SampleReports.Starved());
        Assert.Equal(ConditionOutcome.Met, new StarvationCondition("starvation").Look(report).Outcome);
        Assert.Equal(ConditionOutcome.Met, Limit("gap", 600).Look(report).Outcome);
    }

    [Fact]
    public void A_no_needs_a_capture_that_could_have_shown_it()
    {
        var healthy = SampleReports.Healthy();
        var starvation = new StarvationCondition("starvation");
        Assert.Equal(ConditionOutcome.NotMet, starvation.Look(healthy).Outcome);
        Assert.Equal((ConditionOutcome.Unanswered, "30 events were lost"), Said(starvation.Look(Lossy(healthy))));
        Assert.Equal((ConditionOutcome.Unanswered, "the capture ends early"),
            Said(starvation.Look(healthy with { End = SessionEnd.StreamBroken })));
        var shortOne = starvation.Look(healthy with { Timeline = healthy.Timeline with { Now = SampleReports.At(1200) } });
        Assert.Equal((ConditionOutcome.Unanswered, "the capture is too short: 1.2 s; "
            + "the runtime needs up to a second to detect starvation"), Said(shortOne));
        var undecided = starvation.Look(healthy with { Verdict = Verdict.Undecided, Headline = "Undecided: no heartbeat came." });
        Assert.Equal((ConditionOutcome.Unanswered, "undecided: no heartbeat came"), Said(undecided));
    }

    [Fact]
    public void An_episode_of_starvation_counts_beside_a_longer_one_of_another_kind()
    {
        var report = SampleReports.Starved();
        var mixed = report with
        {
            Verdict = Verdict.NotThePool,
            Episodes = [.. report.Episodes, new(new(SampleReports.At(0), SampleReports.At(29_000)), Verdict.NotThePool, Over: true, 0)],
        };
        var answer = new StarvationCondition("starvation").Look(mixed);
        Assert.Equal(ConditionOutcome.Met, answer.Outcome);
        Assert.StartsWith("25.9 s of starvation in part of the capture. ", answer.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Severity.Note, ConditionOutcome.Met)]
    [InlineData(Severity.Warning, ConditionOutcome.Met)]
    [InlineData(Severity.Serious, ConditionOutcome.NotMet)]
    public void A_severity_means_at_least_that(object least, object outcome)
    {
        var report = SampleReports.Starved();
        var warned = report with { Findings = [report.Findings[0] with { Severity = Severity.Warning }] };
        Assert.Equal(outcome, new FindingCondition("x", (Severity)least).Look(warned).Outcome);
    }

    [Fact]
    public void A_rule_is_found_clear_or_undecided()
    {
        Assert.Equal(ConditionOutcome.Met, new RuleFoundCondition("TPW001").Look(SampleReports.Starved()).Outcome);
        Assert.Equal(ConditionOutcome.NotMet, new RuleFoundCondition("TPW003").Look(SampleReports.Starved()).Outcome);
        Assert.Equal((ConditionOutcome.Unanswered, "the check is undecided: request times are not measured here "
                + "(dotnet tpwatch report -p 41822 --verbose lists them)"),
            Said(new RuleFoundCondition("TPW019").Look(SampleReports.Starved())));
    }

    [Theory]
    [InlineData("gap", 1003, ConditionOutcome.NotMet, "the longest wait for a worker thread was 1.0 s, not more than 1.0 s")]
    [InlineData("gap", 1002, ConditionOutcome.Met, "the longest wait for a worker thread was 1003 ms, more than 1002 ms")]
    [InlineData("starved", 1000, ConditionOutcome.Met, "items waited for 25.9 s, more than 1.0 s")]
    [InlineData("backlog", 165, ConditionOutcome.NotMet, "the largest queue length was 165, not more than 165")]
    [InlineData("workers", 32, ConditionOutcome.Met, "the largest number of worker threads was 33, more than 32")]
    [InlineData("queue-delay-p99", 50, ConditionOutcome.Unanswered, "tpwatch did not measure single items: use --depth items")]
    public void A_limit_must_be_exceeded(string name, double limit, object outcome, string reason) =>
        Assert.Equal(((ConditionOutcome)outcome, reason), Said(Limit(name, limit).Look(SampleReports.Starved())));

    [Fact]
    public void A_distribution_answers_by_its_points()
    {
        var delay = new Distribution(1000, 0, 1, 20, 60, 90, 120, []);
        var report = SampleReports.Healthy() with { QueueDelay = delay };
        Assert.Equal((ConditionOutcome.Met, "p99 of the queue time was 60 ms, more than 50 ms"),
            Said(Limit("queue-delay-p99", 50).Look(report)));
        Assert.Equal(ConditionOutcome.NotMet, Limit("queue-delay-p90", 50).Look(report).Outcome);
        Assert.Equal(ConditionOutcome.Unanswered,
            Limit("queue-delay-p99", 50).Look(report with { QueueDelay = delay with { Count = 0 } }).Outcome);
    }

    [Fact]
    public void A_lower_bound_says_that_a_limit_was_exceeded_and_never_that_it_was_kept()
    {
        var delay = new Distribution(1000, 0, 1, 20, 60, 90, 120, []) { Unfinished = 50, AtLeast = LowerBounds.P99 };
        var report = SampleReports.Healthy() with { QueueDelay = delay };
        Assert.Equal(ConditionOutcome.Met, Limit("queue-delay-p99", 50).Look(report).Outcome);
        Assert.Equal(ConditionOutcome.Unanswered, Limit("queue-delay-p99", 70).Look(report).Outcome);
        Assert.Equal(ConditionOutcome.NotMet, Limit("queue-delay-p90", 50).Look(report).Outcome);
    }

    [Fact]
    public void What_was_forgotten_could_have_been_longer()
    {
        var answer = Limit("gap", 5000).Look(SampleReports.Starved() with { Evicted = 3 });
        Assert.Equal((ConditionOutcome.Unanswered, "tpwatch discarded 3 older waits to limit memory use"), Said(answer));
        Assert.Equal(ConditionOutcome.NotMet, Limit("starved", 60_000).Look(SampleReports.Starved() with { Evicted = 3 }).Outcome);
    }

    static ThresholdCondition Limit(string name, double limit) =>
        new($"{name}>{limit}", ConditionMeasure.All.Single(m => m.Name == name), limit);

    static (ConditionOutcome, string) Said(ConditionAnswer answer) => (answer.Outcome, answer.Reason);

    static PoolReport Lossy(PoolReport report) =>
        report with { Timeline = report.Timeline with { Quality = report.Timeline.Quality with { Lost = 30 } } };
}
