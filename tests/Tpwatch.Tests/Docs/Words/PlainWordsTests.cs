namespace Tpwatch.Tests.Docs.Words;

/// <summary>The pages are written in plain words and short sentences; what a program writes into them is not theirs.</summary>
public sealed class PlainWordsTests
{
    /// <summary>Sentences that break a rule on purpose: how each begins, and why.</summary>
    static readonly Dictionary<string, string> Excused = [];

    [Fact]
    public void The_pages_are_written_in_plain_words_and_short_sentences()
    {
        var sentences = UserPages.All
            .SelectMany(page => PageSentences.Of(MarkdownText.Of(page)).Select(sentence => (page, sentence))).ToArray();
        Assert.True(sentences.Length > 400, $"only {sentences.Length} sentences were recognised");
        var breaches = sentences.Where(one => !Excused.Keys.Any(begin => one.sentence.StartsWith(begin, StringComparison.Ordinal)))
            .SelectMany(one => PlainWords.Breaches(one.sentence).Select(breach => $"{one.page}: {breach}")).ToArray();
        Assert.True(breaches.Length == 0, string.Join('\n', breaches));
        Assert.All(Excused.Keys, begin => Assert.Contains(
            sentences, one => one.sentence.StartsWith(begin, StringComparison.Ordinal) && PlainWords.Breaches(one.sentence).Any()));
    }

    [Theory]
    [InlineData("The detector is asleep.", "asleep")]
    [InlineData("The heartbeat brings it.", "counter sample")]
    [InlineData("Every worker waits.", "worker thread")]
    [InlineData("The gate adds it at the second tick.", "gate check")]
    [InlineData("It shows unknown instead of unknown.", "instead of")]
    [InlineData("It took 1 s, 2 s and 3 s.", "3 numbers")]
    [InlineData("Hill climbing changed the count: 1 times.", "singular")]
    [InlineData("It was the process with pid ?.", "leave out")]
    [InlineData("Items start after 4 min to 4 min.", "range of one value")]
    [InlineData("It uses 0.187 % of them.", "not rounded")]
    [InlineData("One two three four five six seven eight nine ten one two three four five six seven eight nine ten one.", "21 words")]
    public void A_breach_is_found(string sentence, string named) =>
        Assert.Contains(named, Assert.Single(PlainWords.Breaches(sentence)), StringComparison.Ordinal);

    [Theory]
    [InlineData("Every worker thread waits, on .NET 8, 9 and 10, for 2.5 s or 240 000 items.")]
    [InlineData("CODE takes no counter samples: the gate thread checks every 500 ms.")]
    public void What_only_looks_like_a_breach_is_not(string sentence) => Assert.Empty(PlainWords.Breaches(sentence));

    [Fact]
    public void Sentences_are_those_of_paragraphs_items_cells_and_headings()
    {
        const string Text = """
            # A head

            One [sentence](a.md) that
            goes on, on .NET 8. Two: `a. b`!

            - item **one.** Of two
              lines
            - next

            | cell | other. And more |
            |---|---|

            ```sh
            code is no sentence
            ```
            <!-- keys -->
            written by a program
            <!-- /keys -->
            """;
        Assert.Equal(
            ["A head", "One sentence that goes on, on .NET 8.", "Two: CODE!", "item one.", "Of two   lines", "next", "cell", "other.",
                "And more"],
            PageSentences.Of(new("a.md", Text)));
    }
}
