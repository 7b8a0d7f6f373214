using Tpwatch.Fixtures.Options;
using Tpwatch.Fixtures.Scenarios;

namespace Tpwatch.Tests.Docs;

/// <summary>Every verb and option that a page names exists.</summary>
public sealed class CommandsInTextTests
{
    static readonly string[] Pages = [.. UserPages.All, "tool/README.md", "probes/README.md", "CHANGELOG.md"];

    /// <summary>Named as something that is not there yet; whoever adds one takes it off this list and out of the limits.</summary>
    static readonly string[] Announced = [];

    /// <summary>A property of the build, which looks like an option.</summary>
    const string BuildProperty = "-p:";

    /// <summary>A line around data in an answer to an agent.</summary>
    const string AgentMark = "---- ";

    /// <summary>The ways in which the pages start the tool, and the word after which its own words begin.</summary>
    static readonly string[] Starts = ["dotnet tpwatch ", "dotnet-tpwatch ", "dotnet run --project tool -- "];

    [Fact]
    public async Task Every_command_line_has_a_verb_and_options_that_exist()
    {
        var seen = 0;
        foreach (var page in Pages)
        {
            foreach (var words in CodeOf(page).SelectMany(CommandLines))
            {
                await AssertExistsAsync(page, words);
                seen++;
            }
        }

        Assert.True(seen > 40, $"only {seen} command lines were recognised");
    }

    [Fact]
    public async Task An_option_named_alone_is_one_of_the_tool_or_of_a_fixture()
    {
        var known = new HashSet<string>(
            ScenarioCatalogue.All.SelectMany(s => s.Options).Concat(CommonOptions.Numbers).Select(o => "--" + o.Name));
        foreach (var verb in HelpText.Verbs)
        {
            known.UnionWith(await HelpText.OptionsAsync(verb));
        }

        var named = Pages.SelectMany(CodeOf)
            .Where(code => code.StartsWith('-') && !code.StartsWith(BuildProperty, StringComparison.Ordinal)
                && !code.StartsWith(AgentMark, StringComparison.Ordinal))
            .Select(code => code.Split(' ')[0]).Where(option => option != "--").ToArray();
        Assert.NotEmpty(named);
        Assert.All(named.Except(Announced), option => Assert.Contains(option, known));
        Assert.Empty(known.Intersect(Announced));
    }

    // Of the pages for users the generated parts are compared as a whole elsewhere, and a usage line is no command line.
    static IEnumerable<string> CodeOf(string path) =>
        MarkdownText.Of(path) is var page && UserPages.All.Contains(path) ? page.Own.Code : page.Code;

    static async Task AssertExistsAsync(string page, string[] words)
    {
        var verb = words is [var first, ..] && !first.StartsWith('-') ? first : "";
        Assert.True(HelpText.Verbs.Contains(verb), $"{page}: there is no verb '{verb}'");
        var options = await HelpText.OptionsAsync(verb);
        var unknown = words.Where(word => word.StartsWith('-') && !options.Contains(word) && !IsForTheFixture(verb, word));
        Assert.True(!unknown.Any(), $"{page}: '{verb}' has no option {string.Join(", ", unknown)}");
    }

    static bool IsForTheFixture(string verb, string word) =>
        verb == "demo" && ScenarioCatalogue.All.SelectMany(s => s.Options).Any(option => word == "--" + option.Name);

    static IEnumerable<string[]> CommandLines(string code) =>
        from start in Starts
        let line = code.TrimStart('$', ' ')
        where line.StartsWith(start, StringComparison.Ordinal)
        select line[start.Length..].Split('#', '|', '>', ';')[0].Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .TakeWhile(word => word != "--").ToArray();
}
