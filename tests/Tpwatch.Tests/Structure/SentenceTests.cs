namespace Tpwatch.Tests.Structure;

/// <summary>
/// A sentence is made once, from facts, and never searched for them: what a program asks of its own text is a type.
/// </summary>
public sealed class SentenceTests
{
    [Fact]
    public void No_sentence_of_our_own_is_searched()
    {
        var (searches, unknown, sentences) = TextFlow.Of(SourceTree.CSharp.Where(file => file.IsUnder("probes", "tool")));
        TestContext.Current.TestOutputHelper!.WriteLine($"{sentences} members hold sentences; {unknown} names are not known");
        Assert.True(searches.Count == 0, string.Join('\n', searches));
        Assert.True(sentences > 500 && unknown < 100, "The sentences are not seen.");
    }

    [Theory]
    [InlineData("bool Is(Told told) => told.Why.StartsWith(\"The pool\");")]
    [InlineData("bool Is(Told told) { var (_, why) = told; return Has(why, \"pool\"); }")]
    [InlineData("string[] Cut(Told told) => told.Why.Split(\". \");")]
    [InlineData("string Cut(Told told) => told is { Why: { } why } ? why[\"The pool\".Length..] : \"\";")]
    [InlineData("string Cut() => All().Select(Told.Of).First().Replace(\"pool\", \"\");")]
    [InlineData("bool Is() => All().Any(n => string.Join(\", \", Told.Of(n)).Contains(\"starv\"));")]
    [InlineData("bool Is(Told? told) => Cut($\"{told?.Why}\") is [var first, ..] && first.StartsWith(\"The\"); "
        + "string[] Cut(string s) => [.. L(s)]; IEnumerable<string> L(string s) { yield return s; }")]
    [InlineData("bool Is(Told? told) => told?.Why?.Contains(\"starv\") == true;")]
    [InlineData("bool Is(Told told) => System.Text.RegularExpressions.Regex.IsMatch(told.Why, \"[0-9]\");")]
    [InlineData("bool Is(int n) { var s = \"\"; s += Told.Of(n); return n switch { 1 => s, _ => null } is { } t && t.EndsWith(\"now\"); }")]
    public void A_search_in_a_sentence_is_found(string member) => Assert.NotEmpty(In(member));

    [Theory]
    [InlineData("bool Is(string[] args) => args[0].StartsWith(\"--depth of\");")]
    [InlineData("bool Is(Told told, string typed) => told.Why.Contains(typed);")]
    [InlineData("string[] Cut(Told told) => told.Why.Split(' ');")]
    [InlineData("string Cut(Told told) => told.Why.Replace(\"%\", \"%25\").TrimEnd('.');")]
    [InlineData("bool Is(string[] args) => Has(args[0], \"pool\");")]
    [InlineData("bool Is() => System.IO.File.ReadAllText(\"of a file\").Contains(\"NSpid:\");")]
    [InlineData("bool Is(Told[] all, Told told) => all.Contains(told) && all.Select(a => a.Why).Contains(told.Why);")]
    public void What_is_no_search_in_a_sentence_is_not(string member) => Assert.Empty(In(member));

    static IReadOnlyCollection<string> In(string member) => TextFlow.Of([new("tool/A.cs",
        $$"""
        sealed record Told(int Count, string Why) { public static string Of(int n) => $"The pool starved for {n} seconds"; }
        class A
        {
            Told Made(int n) => new(n, Told.Of(n));
            static bool Has(string text, string what) => text.Contains(what);
            static int[] All() => [1, 2];
            {{member}}
            static void Main() { }
        }
        """)]).Searches;
}
