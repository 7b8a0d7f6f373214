using System.Text.RegularExpressions;
using Tpwatch.Reports;
using Tpwatch.Tests.Structure;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Docs;

/// <summary>
/// The first page is short, leads to every other, and what it says of the screen and of verdicts is what the program shows.
/// </summary>
public sealed partial class ReadmeTests
{
    /// <summary>What somebody reads who has been woken up.</summary>
    const int MostLines = 200;

    const int ThingsToRead = 5;

    static readonly MarkdownText Page = MarkdownText.Of(UserPages.First);

    [Fact]
    public void It_has_at_most_200_lines() => Assert.InRange(Page.Text.TrimEnd('\n').Split('\n').Length, 1, MostLines);

    [Fact]
    public void It_leads_to_every_page() =>
        Assert.Empty(UserPages.Further.Except(Page.Links.Select(link => link.Split('#')[0])));

    [Fact]
    public void Every_verdict_is_in_the_table_as_the_screen_writes_it_and_no_other() => Assert.Equal(
        Enum.GetValues<Verdict>().Select(verdict => $"`{VerdictWords.Of(verdict)}`").Order(StringComparer.Ordinal),
        Page.FirstCells("verdict").Order(StringComparer.Ordinal));

    [Fact]
    public void What_is_to_be_read_on_the_screen_is_on_the_picture_of_it()
    {
        var named = Callout.Matches(Page.Text).Select(line => line.Groups["shown"].Value).ToArray();
        Assert.Equal(ThingsToRead, named.Length);
        Assert.All(named, shown => Assert.Contains(shown, Page.Part("picture overview"), StringComparison.Ordinal));
    }

    [Fact]
    public void The_build_machine_runs_the_tests_by_the_command_of_this_page()
    {
        var command = Page.Code.First(line => line.StartsWith("dotnet test", StringComparison.Ordinal));
        Assert.Contains($" {command} --logger trx", SourceTree.Files.Single(file => file.Path == ".ci/run").Text, StringComparison.Ordinal);
    }

    [GeneratedRegex(@"^\d\. `(?<shown>[^`]+)`", RegexOptions.Multiline)]
    static partial Regex Callout { get; }
}
