using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Reporting;

public sealed class FindingRuleSetTests
{
    [Fact]
    public void A_rule_that_throws_is_reported_and_the_others_stand()
    {
        var report = FindingRuleSet.Ask(new PoolScript().Opening()
            .CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001)).Pass(500).Report(),
            [new Throwing(), new Tpw001Starvation()]);

        var undecided = Assert.Single(report.Undecided);
        Assert.Equal(("TPW999", $"{FindingRuleSet.Failed}: DivideByZeroException: by nothing"), (undecided.Id, undecided.Missing));
        Assert.Equal("TPW001", Assert.Single(report.Findings).Id);
    }

    [Fact]
    public void Ids_are_unique_well_formed_and_in_order()
    {
        var ids = FindingRuleSet.All.Select(r => r.Id).ToArray();

        Assert.All(ids, id => Assert.Matches("^TPW0[0-9]{2}$", id));
        Assert.Equal(ids.Distinct().Order(StringComparer.Ordinal), ids);
    }

    [Fact]
    public void Every_rule_and_every_code_says_all_four_things_in_whole_sentences() =>
        Assert.All(FindingCatalogue.Findings.Concat(DelayWords.Codes), entry =>
            Assert.All(
                (string[])[entry.Text.Mechanism, entry.Text.Needs, entry.Text.Remedy, entry.Text.FalseAlarms],
                text => Assert.True(
                    text.Length > 10 && text[^1] == '.' && !text.Contains("  ", StringComparison.Ordinal), $"{entry.Id}: {text}")));

    [Fact]
    public void Every_code_is_explained_and_no_other() =>
        Assert.Equal(Enum.GetValues<Mechanism>().Where(rule => rule != Mechanism.None).Order().Select(Tpwatch.Wording.Words.Code),
            DelayWords.Codes.Select(code => code.Id));

    sealed class Throwing : IFindingRule
    {
        public string Id => "TPW999";

        public string Title => "Throws";

        public FindingMeaning Text { get; } = new("", "", "", "", "");

        public FindingRuleAnswer Look(PoolEvidence report) => throw new DivideByZeroException("by nothing");
    }
}
