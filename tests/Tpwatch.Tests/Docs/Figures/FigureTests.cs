using System.Globalization;
using Tpwatch.Lab.Figures;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Docs.Figures;

/// <summary>
/// No figure of a measurement stands in a text for users but one that a measuring command has written, and it is that one.
/// </summary>
[Collection(UserPages.Written)]
public sealed class FigureTests
{
    public static TheoryData<string> Known =>
        [.. KnownFigures.Measured.Concat(KnownFigures.Ruled).Select(figure => figure.Words).Distinct()];

    [Fact]
    public async Task Every_figure_of_a_page_and_of_a_help_has_a_source()
    {
        var known = KnownFigures.Measured.Concat(KnownFigures.Ruled)
            .Select(figure => figure.Words).Concat(KnownFigures.Examples.Keys).ToHashSet();
        var told = (await TextsAsync()).SelectMany(text => FigureFinder.Of(text.Prose).Select(figure => (text.Name, figure))).ToArray();
        Assert.True(told.Length > 30, $"only {told.Length} figures were recognised");
        var unknown = told.Where(one => !known.Contains(one.figure)).Select(one => $"{one.Name}: {one.figure}").Distinct();
        Assert.True(!unknown.Any(), "a figure without a source; measure it with a command that writes it, and name that in "
            + $"KnownFigures:\n{string.Join('\n', unknown)}");
        var dead = known.Except(told.Select(one => one.figure));
        Assert.True(!dead.Any(), $"nobody tells {string.Join(", ", dead)} any more");
    }

    [Theory]
    [MemberData(nameof(Known))]
    public void A_figure_is_what_its_source_says(string words)
    {
        // Two prices may be told by the same words.
        foreach (var figure in KnownFigures.Measured.Concat(KnownFigures.Ruled).Where(one => one.Words == words))
        {
            Assert.InRange(figure.Told, figure.True() - figure.Apart, figure.True() + figure.Apart);
        }
    }

    [Fact]
    public void No_page_says_a_time_that_cannot_be_compared() => Assert.Empty(
        UserPages.All.SelectMany(
            page => FigureFinder.Vague(FigureFinder.Prose(MarkdownText.Of(page))).Select(words => $"{page}: {words}")));

    [Fact]
    public void What_the_pages_say_of_the_price_is_what_was_measured()
    {
        var scores = new WrittenTables(MarkdownText.Of("tests/SCORES.md").Text);
        Assert.All(PriceParts.All, part => GoldenPart.Verify(part.Page, part.Name, part.Text(scores)));
    }

    [Fact]
    public void As_many_threads_were_sampled_as_the_price_of_a_burst_says() => Assert.Equal(
        double.Parse(DepthPrice.BurstThreads, CultureInfo.InvariantCulture),
        new WrittenTables(MarkdownText.Of("tests/SCORES.md").Text).Number(PricePage.Name, PricePage.BlockedBurst, 2));

    [Theory]
    [InlineData("It takes a few minutes on .NET 8, 12 of 15 in 3.4 ms", "12 of 15", "3.4 ms")]
    [InlineData("about 37 MB, 0.90 of 1 001 items, version 2.4.17, G4, TPW004, 100x30", "37 MB", "0.90 of 1")]
    [InlineData("30 to 60\n  ms, 84 % and 260 thousand items, 10 of them, exit code 12", "30 to 60 ms", "84 %", "260 thousand")]
    public void A_figure_is_found_in_prose(string prose, params string[] figures) => Assert.Equal(figures, FigureFinder.Of(prose));

    [Fact]
    public void A_time_in_words_is_found() =>
        Assert.Equal(["a few minutes", "half an hour"], FigureFinder.Vague("It takes a few\nminutes, or half an hour."));

    static async Task<List<(string Name, string Prose)>> TextsAsync()
    {
        List<(string, string)> texts =
        [
            .. UserPages.All.Select(page => (page, FigureFinder.Prose(MarkdownText.Of(page)))),
            ("help TOPIC", FigureFinder.HelpProse(HelpText.Topics)),
        ];
        foreach (var verb in HelpText.Verbs)
        {
            texts.Add(($"{verb} --help", FigureFinder.HelpProse(await HelpText.OfAsync(verb))));
        }

        return texts;
    }
}
