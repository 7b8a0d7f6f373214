using System.Text.RegularExpressions;
using Tpwatch.Reports;
using Tpwatch.Tests.Render;
using Tpwatch.Tests.Verbs;
using Tpwatch.Text;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Docs;

/// <summary>
/// What the page for agents with a shell says is what the program does. Its verbs and options are held by CommandsInTextTests, its exit
/// codes by ReferencePagesTests, as those of every page.
/// </summary>
public sealed partial class SkillTests
{
    /// <summary>Clients refuse a longer one.</summary>
    const int LongestDescription = 1024;

    static readonly MarkdownText Page = MarkdownText.Of(UserPages.Skill);

    [Fact]
    public void Its_head_names_the_folder_and_says_when_to_use_it()
    {
        var head = Head.Match(Page.Text);
        Assert.True(head.Success);
        Assert.Equal(Path.GetFileName(Path.GetDirectoryName(UserPages.Skill)), head.Groups["name"].Value);
        Assert.InRange(head.Groups["description"].Length, 1, LongestDescription);
    }

    /// <summary>An agent gets the page alone, wherever it is copied to.</summary>
    [Fact]
    public void It_leads_to_no_other_page() => Assert.Empty(Page.Links);

    [Fact]
    public void Every_verb_that_looks_at_a_pool_is_on_it_and_each_command_ends_by_itself()
    {
        var commands = Page.Code.Where(code => code.StartsWith("dotnet tpwatch ", StringComparison.Ordinal)).ToArray();
        Assert.All((string[])["ps", "report", "record", "rules", "whatif", "compare"],
            verb => Assert.Contains(commands, command => command.Split(' ')[2] == verb));
        Assert.All(commands.Where(command => Regex.IsMatch(command, @"^dotnet tpwatch (?:report|record) -p")),
            command => Assert.Contains("--duration", command, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Each_look_at_a_process_is_understood()
    {
        var looks = Page.Code.Where(code => Look.IsMatch(code)).ToArray();
        Assert.True(looks.Length > 4, $"only {looks.Length} looks were recognised");
        foreach (var words in looks.Select(look => look.Replace(" -o report.json", "", StringComparison.Ordinal).Split(' ')[2..]))
        {
            Assert.Equal(0, (await CommandRun.Of([.. words.Select(word => word == "PID" ? "41822" : word)])).Code);
        }
    }

    [Fact]
    public async Task The_keys_and_the_kinds_that_it_names_are_in_the_report()
    {
        var json = (await CommandRun.Of("report", "-p", "41822", "--format", "json")).Out;
        Assert.All((string[])["summary", "verdict", "headline", "findings", "undecided", "kind"], key =>
        {
            Assert.Contains($"\"{key}\":", json, StringComparison.Ordinal);
            Assert.Contains(key, Page.Text, StringComparison.Ordinal);
        });
        Assert.All(Enum.GetValues<RemedyKind>().Where(kind => kind != RemedyKind.Setting),
            kind => Assert.Contains($"`{Tpwatch.Wording.Words.Of(kind)}`", Page.Text, StringComparison.Ordinal));
        var text = ShortReportRenderer.Render(SampleReports.Starved(), TimeStyle.Utc, showCommandLine: false);
        Assert.Contains("\n  do ", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_verdict_that_it_warns_of_exists()
    {
        var named = Capitals.Matches(Page.Text.Split("## What not to conclude")[1]).Select(match => match.Value).ToHashSet();
        Assert.Superset(new HashSet<string> { "HEALTHY", "UNDECIDED", "STARVED", "SATURATED", "NOT THE POOL", "COMPENSATED" }, named);
        Assert.Subset(Enum.GetValues<Verdict>().Select(VerdictWords.Of).ToHashSet(), named);
    }

    [GeneratedRegex(@"\A---\nname: (?<name>[a-z-]+)\ndescription: (?<description>.+)\n---\n")]
    static partial Regex Head { get; }

    [GeneratedRegex("^dotnet tpwatch (?:report|ps) .*PID")]
    static partial Regex Look { get; }

    [GeneratedRegex("(?<!`)\\b[A-Z]{3,}(?: [A-Z]{3,})*\\b")]
    static partial Regex Capitals { get; }
}
