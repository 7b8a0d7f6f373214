using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw012HillClimbingTests
{
    readonly Tpw012HillClimbing rule = new();

    [Fact]
    public void Steps_up_and_down_are_the_probe_and_a_note()
    {
        var finding = Ask.Found(
            rule, new PoolScript().Opening().CounterSamples(0, 500).Pass(2000).Repeat(6, s => s.ClimbTo(9, 400).ClimbTo(8, 300)));

        Assert.Equal((Severity.Note, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal(
            "Hill climbing changed the target thread count 12 times, up and down around the same number. These changes are harmless.",
            finding.Headline);
        Assert.Equal(0, Ask.Value(finding, "Net"));
    }

    [Fact]
    public void Growth_is_told_as_growth() =>
        Assert.Contains("by +4 in total",
            Ask.Found(rule, Ask.Quiet().ClimbTo(10).ClimbTo(9, 300).ClimbTo(12, 300)).Headline, StringComparison.Ordinal);

    [Fact]
    public void Workers_taken_back_while_items_wait_are_a_warning()
    {
        var finding = Ask.Found(rule, Ask.Undetected().ClimbTo(3, 5000).ClimbTo(2, 1500).ClimbTo(3, 1500).ClimbTo(2, 1500).Pass(2000));

        Assert.Equal((Severity.Warning, Confidence.Medium), (finding.Severity, finding.Confidence));
        Assert.Equal(2, Ask.Value(finding, "The target thread count was lowered while items waited"));
        Assert.Contains("DOTNET_HillClimbing_Disable=1, or", finding.Remedies[^1].Setting, StringComparison.Ordinal);
    }

    [Fact]
    public void A_single_step_down_while_items_wait_is_a_probe() =>
        Assert.Equal(Severity.Note, Ask.Found(rule, Ask.Undetected().ClimbTo(3, 5000).ClimbTo(2, 1500).Pass(2000)).Severity);

    [Fact]
    public void Steps_down_on_busy_processors_are_right()
    {
        var script = new PoolScript().Opening(2).CounterSamples(50, 2, cpu: 0.99).Pass(4000)
            .ClimbTo(3, 5000).ClimbTo(2, 1500).ClimbTo(3, 1500).ClimbTo(2, 1500);

        Assert.Equal(Severity.Note, Ask.Found(rule, script.Pass(2000)).Severity);
    }

    [Fact]
    public void A_start_anew_at_the_same_goal_is_no_move() =>
        Ask.Clear(rule, Ask.Quiet().AdjustAfter(10, 8, AdjustmentReason.Initializing, 1));

    [Fact]
    public void Injections_of_the_gate_are_not_its_moves() => Ask.Clear(rule, Ask.Starving());

    [Fact]
    public void After_loss_it_is_undecided() => Ask.Open(rule, Ask.Quiet().Lose().Pass(3000), "events were lost");
}
