using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Render;
using Tpwatch.Tests.Render.Html;
using Tpwatch.Tests.Replay;
using Tpwatch.Text;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Docs.Words;

/// <summary>What the program says of a pool is written in plain words and short sentences, whatever was recorded.</summary>
public sealed class ReportWordsTests
{
    /// <summary>A page with its what-ifs takes a third of a second: of so many recordings one.</summary>
    const int EveryPage = 10;

    [Fact]
    public async Task Lines_of_short_reports_are_written_in_plain_words_with_rounded_numbers()
    {
        var breaches = await OfAllAsync(report => ReportSentences.Lines(Short(report)).SelectMany(PlainWords.InWording));
        breaches.UnionWith(ReportSentences.Lines(Short(DeepReports.Starved())).SelectMany(PlainWords.InWording));
        Assert.True(breaches.Count == 0, string.Join('\n', breaches));
    }

    [Fact]
    public async Task Lines_while_it_goes_on_are_written_in_plain_words_with_rounded_numbers_and_fit()
    {
        var renderer = new ShortLineRenderer(TimeStyle.Utc);
        var breaches = await OfAllAsync(report =>
        {
            var decisions = report.InjectionDelays.Select(delay => renderer.Decision(delay, report)).OfType<string>().ToArray();
            Assert.All(decisions, line => Assert.InRange(line.Length, 1, 100));
            var others = report.Findings.Select(f => renderer.Finding(f, report))
                .Concat(report.Episodes.Select(e => renderer.State(e, report)));
            return decisions.Concat(others.OfType<string>()).SelectMany(ReportSentences.Lines).SelectMany(PlainWords.InWording);
        });
        Assert.True(breaches.Count == 0, string.Join('\n', breaches));
    }

    [Fact]
    public async Task Help_is_written_in_plain_words_and_short_sentences()
    {
        var sentences = new SortedSet<string>(ReportSentences.OfHelp(HelpText.Topics), StringComparer.Ordinal);
        foreach (var verb in HelpText.Verbs)
            sentences.UnionWith(ReportSentences.OfHelp(await HelpText.OfAsync(verb)));
        Assert.True(sentences.Count > 60, $"only {sentences.Count} sentences were recognised");
        var breaches = sentences.SelectMany(PlainWords.Breaches).ToArray();
        Assert.True(breaches.Length == 0, string.Join('\n', breaches));
    }

    [Fact]
    public void Every_rule_is_explained_in_plain_words_and_short_sentences()
    {
        var sentences = FindingCatalogue.Findings.Concat(DelayWords.Codes)
            .SelectMany(e => (string[])[e.Title, e.Text.Mechanism, e.Text.Needs, e.Text.Remedy, e.Text.FalseAlarms])
            .SelectMany(ReportSentences.Split).ToArray();
        Assert.True(sentences.Length > 200, $"only {sentences.Length} sentences were recognised");
        Holds(sentences.SelectMany(PlainWords.Breaches));
    }

    [Fact]
    public async Task Lines_of_whole_reports_are_written_in_plain_words_with_rounded_numbers() => Holds(
        await OfAllAsync(report => ReportSentences.Lines(TestRecordings.Text(report)).SelectMany(PlainWords.InWording)));

    [Fact]
    public async Task Pages_are_written_in_plain_words_with_rounded_numbers_and_no_empty_evidence()
    {
        var breaches = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var name in TestRecordings.All.Where((_, i) => i % EveryPage == 0))
            breaches.UnionWith(PageBreaches(HtmlReportTests.Page(await TestRecordings.ReplayAsync(TestRecordings.File(name)))));
        breaches.UnionWith(PageBreaches(HtmlReportTests.Page(DeepReports.Starved())));
        Assert.True(breaches.Count == 0, string.Join('\n', breaches));
    }

    static void Holds(IEnumerable<string> breaches) => Assert.True(!breaches.Any(), string.Join('\n', breaches));

    static IEnumerable<string> PageBreaches(string page) => SourceTexts.Sentences(PageTexts.Of(page)).SelectMany(PlainWords.InWording)
        .Concat(PageTexts.EmptyEvidence(page));

    static async Task<SortedSet<string>> OfAllAsync(Func<PoolReport, IEnumerable<string>> texts)
    {
        var found = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var name in TestRecordings.All)
            found.UnionWith(texts(await TestRecordings.ReplayAsync(TestRecordings.File(name))));
        return found;
    }

    static string Short(PoolReport report) => ShortReportRenderer.Render(report, TimeStyle.Utc, showCommandLine: false);
}
