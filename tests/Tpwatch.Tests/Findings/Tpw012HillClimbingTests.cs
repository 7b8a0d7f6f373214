using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw012HillClimbingTests
{
    static readonly Tpw012HillClimbing Rule = new();

    internal static IEnumerable<PoolReport> Told => [Probing(), Growing()];

    [Fact]
    public void Steps_up_and_down_are_the_probe_and_a_note_with_their_sum()
    {
        var finding = Rule.Found(Probing());

        Assert.Equal((Severity.Note, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal((12, 0), (finding.Number("Hill climbing changed the target"), finding.Value("Net")));
        Assert.Equal(4, Rule.Found(Growing()).Value("Net"));
        Assert.DoesNotContain(finding.Evidence, e => e.GoesOn);
        Says("changed the target thread count 12 times, up and down around the same number. These changes are", Probing());
        Says("3 times, by +4 in total. These changes are harmless.", Growing());
        Says("once, by +1. This change is harmless.", Ask.Quiet().ClimbTo(9));
        Says("at least once, by -1.", AtLeastOnce());
        Assert.Equal("Hill climbing changed the target thread count", finding.Evidence[0].Text);
        Assert.Equal("Hill climbing changed the target thread count: at least", Rule.Found(AtLeastOnce()).Evidence[0].Text);

        static void Says(string what, PoolScript life) => Assert.Contains(what, Rule.Found(life).Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Workers_taken_back_while_items_wait_are_a_warning()
    {
        var finding = Rule.Found(Ask.Undetected().ClimbTo(3, 5000).ClimbTo(2, 1500).ClimbTo(3, 1500).ClimbTo(2, 1500).Pass(2000));

        Assert.Equal((Severity.Warning, Confidence.Medium), (finding.Severity, finding.Confidence));
        Assert.EndsWith(" add up to 0 threads.", finding.Headline, StringComparison.Ordinal);
        Assert.EndsWith(" add up to +1 thread.", Rule.Found(Ask.Undetected().ClimbTo(3, 5000).ClimbTo(2, 1500).ClimbTo(3, 1500)
            .ClimbTo(2, 1500).ClimbTo(3, 1500).Pass(2000)).Headline, StringComparison.Ordinal);
        Assert.Equal(2, finding.Value("The target thread count was lowered while items waited"));
        Assert.Contains("DOTNET_HillClimbing_Disable=1, or", finding.Remedies[^1].Setting, StringComparison.Ordinal);
    }

    /// <summary>A single step is a probe, and on busy processors steps down are right.</summary>
    [Fact]
    public void A_single_step_down_while_items_wait_and_steps_on_busy_processors_are_a_note() => Assert.All<PoolScript>(
        [Ask.Undetected().ClimbTo(3, 5000).ClimbTo(2, 1500).Pass(2000),
            Ask.Busy().ClimbTo(3, 5000).ClimbTo(2, 1500).ClimbTo(3, 1500).ClimbTo(2, 1500).Pass(2000)],
        life => Assert.Equal(Severity.Note, Rule.Found(life).Severity));

    [Fact]
    public void A_single_step_down_while_items_wait_is_not_called_harmless() => Assert.EndsWith(
        " Hill climbing lowered the count once while items waited.",
        Rule.Found(Ask.Undetected().ClimbTo(3, 5000).ClimbTo(2, 1500).Pass(2000)).Headline, StringComparison.Ordinal);

    [Fact]
    public void What_is_no_move_of_its_own_is_clear() => Rule.Clear(
        ("a start anew at the same goal", Ask.Quiet().AdjustAfter(10, 8, AdjustmentReason.Initializing, 1)),
        ("injections of the gate", Ask.Starving()));

    static PoolScript Probing() =>
        new PoolScript().Opening().CounterSamples(0, 500).Pass(2000).Repeat(6, s => s.ClimbTo(9, 400).ClimbTo(8, 300));

    // The goal before the first step is not known.
    static PoolScript AtLeastOnce() => new PoolScript().Processors(8).CounterSamples(0, 20).Pass(2000).ClimbTo(9).ClimbTo(8);

    static PoolScript Growing() => Ask.Quiet().ClimbTo(10).ClimbTo(9, 300).ClimbTo(12, 300);
}
