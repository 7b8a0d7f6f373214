using Microsoft.CodeAnalysis.CSharp;

namespace Tpwatch.Tests.Docs.Words;

/// <summary>
/// Whatever the engine and the tool can say is written in plain words and short sentences, whether a test brings it about or not.
/// </summary>
public sealed class SourceWordsTests
{
    /// <summary>No sentences, by how they begin: a script for a shell, percentiles in a row, a style.</summary>
    static readonly string[] NoSentences = ["cd /proc", "CODECODE; half took", "body{"];

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public void Every_text_in_the_source_is_written_in_plain_words_and_short_sentences()
    {
        var texts = SourceTexts.All.ToArray();
        Assert.True(texts.Length > 800, $"only {texts.Length} texts were recognised");
        var breaches = texts.SelectMany(one => SourceTexts.Sentences(one.Text)
            .Where(sentence => !NoSentences.Any(begin => sentence.StartsWith(begin, StringComparison.Ordinal)))
            .SelectMany(PlainWords.Breaches).Select(breach => $"{one.At} {breach}")).ToArray();
        Assert.True(breaches.Length == 0, string.Join('\n', breaches));
    }

    [Fact]
    public void A_text_is_read_whole_and_what_is_filled_in_is_a_name()
    {
        const string Code = """
            class A
            {
                [Obsolete("this is for the compiler alone")]
                string B(int c) => c > 0
                    ? $"one of {c} is " + "told here" + c + "."
                    : throw new UnreachableException("no text of this kind is there");
                string D => Say("a key", "the hint is told too");
            }
            """;
        Assert.Equal(["one of CODE is told hereCODE.", "the hint is told too"],
            SourceTexts.Of(CSharpSyntaxTree.ParseText(Code, cancellationToken: Cancel).GetRoot(Cancel)).Select(one => one.Text));
    }
}
