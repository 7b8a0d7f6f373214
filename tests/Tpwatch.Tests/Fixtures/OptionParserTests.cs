using Tpwatch.Fixtures;
using Tpwatch.Fixtures.Options;
using Tpwatch.Fixtures.Scenarios;

namespace Tpwatch.Tests.Fixtures;

public sealed class OptionParserTests
{
    [Fact]
    public void Without_words_every_option_has_its_default()
    {
        var request = Parse();

        Assert.Equal(100, request.Values["items"]);
        Assert.Equal(5_000, request.Values["hold"]);
        Assert.Null(request.Values.Find("min"));
        Assert.Null(request.TruthFile);
        Assert.False(request.WaitForEnter);
    }

    [Fact]
    public void A_value_may_follow_or_be_joined_by_an_equals_sign()
    {
        var request = Parse("--items", "7", "--min=100", "--truth=/tmp/a=b", "--wait-for-enter");

        Assert.Equal(7, request.Values["items"]);
        Assert.Equal(100, request.Values.Find("min"));
        Assert.Equal("/tmp/a=b", request.TruthFile);
        Assert.True(request.WaitForEnter);
    }

    [Theory]
    [InlineData("--processors", "8")]
    [InlineData("--processors=8")]
    public void The_program_started_again_is_given_everything_but_the_processors(params string[] processors)
    {
        var request = Parse(["--items", "7", .. processors, "--wait-for-enter", "--truth", "x"]);

        Assert.Equal(8, request.Values.Find("processors"));
        Assert.Equal(["--items", "7", "--wait-for-enter", "--truth", "x"], request.PassOn);
    }

    [Theory]
    [InlineData("does not know --bogus", "--bogus", "3")]
    [InlineData("does not know --bogus", "--bogus")]
    [InlineData("'extra' is not an option", "extra")]
    [InlineData("'abc' is no number that --items takes", "--items", "abc")]
    [InlineData("'-5' is no number that --items takes", "--items", "-5")]
    [InlineData("'0' is no number that --items takes", "--items", "0")]
    [InlineData("'1e3' is no number that --items takes", "--items", "1e3")]
    [InlineData("'99999999999999999999' is no number that --items takes", "--items", "99999999999999999999")]
    [InlineData("--items lacks its value", "--items")]
    [InlineData("--items lacks its value", "--items=")]
    [InlineData("--truth lacks its value", "--truth")]
    [InlineData("--items is given twice", "--items", "1", "--items=2")]
    [InlineData("--wait-for-enter takes no value", "--wait-for-enter=yes")]
    public void What_it_cannot_take_it_refuses_with_a_sentence_and_a_hint(string sentence, params string[] words)
    {
        var refused = Assert.Throws<RefusedException>(() => Parse(words));

        Assert.Contains(sentence, refused.Message, StringComparison.Ordinal);
        Assert.NotEmpty(refused.Hint);
    }

    [Fact]
    public void The_hint_of_a_bad_number_names_the_range_and_the_unit()
    {
        var refused = Assert.Throws<RefusedException>(() => Parse("--hold", "0"));

        Assert.Equal("a whole number from 1 to 600000 ms", refused.Hint);
    }

    [Fact]
    public void A_trickle_whose_backlog_would_not_grow_is_refused()
    {
        var scenario = new Trickle();
        var request = new OptionParser(scenario, ["--every", "200", "--arrival", "200"]).Parse();

        Assert.Throws<RefusedException>(() => scenario.Check(request.Values));
    }

    [Fact]
    public void A_steady_load_of_more_items_than_the_log_holds_is_refused()
    {
        var scenario = new Steady();
        var request = new OptionParser(scenario, ["--rate", "10000", "--seconds", "3600"]).Parse();

        Assert.Throws<RefusedException>(() => scenario.Check(request.Values));
    }

    [Fact]
    public void A_scenario_gives_a_common_option_its_own_default()
    {
        var values = new OptionParser(new TwentyThreads(), []).Parse().Values;

        Assert.Equal((20, 20), (values["min"], values["max"]));
        Assert.Null(values.Find("processors"));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(0, "--stop-by", "timer")]
    [InlineData(1, "--stop-by=queued-item")]
    public void An_option_of_words_keeps_the_place_of_its_word(int place, params string[] words) =>
        Assert.Equal(place, new OptionParser(new TenCountingItems(), words).Parse().Values["stop-by"]);

    [Theory]
    [InlineData("1")]
    [InlineData("Timer")]
    [InlineData("sundial")]
    public void A_word_that_an_option_does_not_take_is_refused_with_those_it_does(string word)
    {
        var refused = Assert.Throws<RefusedException>(() => new OptionParser(new TenCountingItems(), ["--stop-by", word]).Parse());

        Assert.Contains($"'{word}'", refused.Message, StringComparison.Ordinal);
        Assert.Contains("timer, queued-item", refused.Hint, StringComparison.Ordinal);
    }

    [Fact]
    public void A_deadlock_that_would_resolve_itself_is_refused()
    {
        var scenario = new Deadlock();
        var request = new OptionParser(scenario, ["--items", "24"]).Parse();

        Assert.Throws<RefusedException>(() => scenario.Check(request.Values));
    }

    static FixtureRequest Parse(params string[] words) => new OptionParser(new PoolBurst(), words).Parse();
}
