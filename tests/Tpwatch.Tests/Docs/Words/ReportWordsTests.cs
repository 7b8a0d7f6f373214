using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Docs.Words;

/// <summary>What the program says of a pool is written in plain words and short sentences, whatever was recorded.</summary>
public sealed class ReportWordsTests
{
    [Fact]
    public async Task Findings_and_headlines_are_written_in_plain_words_and_short_sentences()
    {
        var breaches = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var name in TestRecordings.All)
            breaches.UnionWith(
                ReportSentences.Of(await TestRecordings.ReplayAsync(TestRecordings.File(name))).SelectMany(PlainWords.Breaches));
        Assert.True(breaches.Count == 0, string.Join('\n', breaches));
    }
}
