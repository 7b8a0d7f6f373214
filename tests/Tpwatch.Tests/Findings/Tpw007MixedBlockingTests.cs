using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw007MixedBlockingTests
{
    static readonly Tpw007MixedBlocking Rule = new();

    [Fact]
    public void Injections_above_the_free_budget_beside_task_waits_are_found()
    {
        var finding = Rule.Found(Mixed().Report());

        Assert.Equal(("TPW007", Severity.Serious, Confidence.Medium), (finding.Id, finding.Severity, finding.Confidence));
        Assert.Equal(3, finding.Number("Threads added because of starvation"));
        Assert.Equal(1, finding.Number("The target thread count was raised for task waits"));
        Assert.Equal(23, finding.Number("Highest target thread count"));
        Assert.Equal(16, finding.Number("get threads without delay"));
        Assert.StartsWith("Worker threads wait for tasks, and also block in calls that the pool cannot detect. The pool added 3 threads",
            finding.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void What_the_ledger_charges_to_the_debt_is_found()
    {
        Assert.Equal(
            3, Rule.Found(new PoolScript().Opening().CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001))
                .Pass(500).Report().Charged(Mechanism.G7Debt)).Number("Threads added because of starvation"));
    }

    [Fact]
    public void Task_waits_that_had_ended_before_owe_nothing()
    {
        var script = new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3, by: 12)
            .WithdrawTo(9, after: 50).Repeat(2, s => s.StarvationAfter(1001)).Pass(500);

        Rule.Clear(script.Report());
    }

    [Fact]
    public void Within_the_free_budget_nothing_is_eaten_yet()
    {
        Rule.Clear(new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3, by: 2).StarvationAfter(1001).Pass(500).Report());
    }

    [Fact]
    public void Injections_alone_do_not_show_task_waits_that_got_nothing()
    {
        var missing = Rule.Open(new PoolScript().Opening().CounterSamples(90).Repeat(5, s => s.StarvationAfter(1001)).Pass(500).Report());

        Assert.StartsWith(
            "without stacks, tpwatch cannot tell whether some threads (at most 5) wait for tasks. To find out, run dotnet tpwatch report ",
            missing, StringComparison.Ordinal);
    }

    [Fact]
    public void A_memory_setting_that_explains_the_same_leaves_it_undecided()
    {
        Assert.Contains("TPW008", Rule.Open(Mixed().Report().Set("DOTNET_GCHighMemPercent", "32")), StringComparison.Ordinal);
    }

    [Fact]
    public void The_load_of_memory_makes_it_sure_or_leaves_it_undecided()
    {
        Assert.Equal(Confidence.High, Rule.Found(Mixed().Report().Load(0.4)).Confidence);
        Assert.Contains("TPW008", Rule.Open(Mixed().Report().Load(0.9)), StringComparison.Ordinal);

        // Eight processors: from 72 % or, with 80 GB or more, from 73.6 % on.
        Assert.Contains("TPW008", Rule.Open(Mixed().Report().Load(0.73)), StringComparison.Ordinal);
    }

    [Fact]
    public void After_loss_it_is_undecided_and_a_quiet_pool_is_clear()
    {
        Assert.Contains("lost", Rule.Open(new PoolScript().Opening().CounterSamples(0, 20).Lose().Pass(3000).Report()),
            StringComparison.Ordinal);
        Rule.Clear(new PoolScript().Opening().CounterSamples(0, 20).Pass(3000).Report());
    }

    static PoolScript Mixed() =>
        new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3, by: 12).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);
}
