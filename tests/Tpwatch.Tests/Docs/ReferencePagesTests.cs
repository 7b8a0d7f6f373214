using System.Globalization;
using System.Text;
using Tpwatch.Cli;
using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Screen.Commands;
using Tpwatch.Wording;
using JsonWords = Tpwatch.Wording.Words;

namespace Tpwatch.Tests.Docs;

/// <summary>What the pages behind the first one say of keys, options, exit codes and judgements is what the program does.</summary>
[Collection(UserPages.Written)]
public sealed class ReferencePagesTests
{
    public static TheoryData<string> Verbs => [.. HelpText.Verbs];

    [Fact]
    public void The_keys_are_those_of_the_table_of_bindings()
    {
        var table = new StringBuilder("| key | does |\n|---|---|\n");
        foreach (var binding in Bindings.All)
        {
            table.Append(CultureInfo.InvariantCulture, $"| `{binding.Show}` | {binding.Help} |\n");
        }

        GoldenPart.Verify(UserPages.Screen, "keys", table.ToString());
    }

    [Theory]
    [MemberData(nameof(Verbs))]
    public async Task The_help_of_a_command_is_what_the_tool_prints(string verb) => GoldenPart.Verify(
        UserPages.CommandLine, $"help {verb}".TrimEnd(), $"```text\n{await HelpText.OfAsync(verb)}```\n");

    [Fact]
    public void What_help_says_of_its_topics_is_on_the_page() =>
        GoldenPart.Verify(UserPages.CommandLine, "topics", $"```text\n{HelpText.Topics}```\n");

    [Theory]
    [MemberData(nameof(Verbs))]
    public async Task An_option_takes_at_most_two_lines_of_100_columns_and_stands_in_a_group(string verb)
    {
        var lines = (await HelpText.OfAsync(verb)).Split('\n');
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 100));
        var options = lines.Where(line => line.StartsWith("  -", StringComparison.Ordinal)).ToArray();
        Assert.All(options, option => Assert.InRange(
            lines.SkipWhile(line => line != option).Skip(1).TakeWhile(IsContinued).Count(), 0, 1));
        Assert.All(
            lines.SkipWhile(line => line != "Other:").Skip(1).TakeWhile(line => line.Length > 0),
            line => Assert.Matches("--(?:help|version) ", line));

        static bool IsContinued(string line) => line.StartsWith("     ", StringComparison.Ordinal);
    }

    [Fact]
    public async Task Every_command_that_the_tool_names_has_its_help_on_the_page() => Assert.Equal(
        HelpText.Verbs.Where(verb => verb.Length > 0),
        (await HelpText.OfAsync("")).Split("Commands:\n")[1].Split("\n\n")[0].Split('\n')
            .Where(line => line.StartsWith("  ", StringComparison.Ordinal) && line[2] != ' ')
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[0]));

    [Theory]
    [InlineData(UserPages.CommandLine)]
    [InlineData(UserPages.Skill)]
    public void Every_exit_code_is_in_the_table_and_no_other(string page) => Assert.Equal(
        Enum.GetValues<ExitCode>().Select(code => ((int)code).ToString(CultureInfo.InvariantCulture)),
        MarkdownText.Of(page).FirstCells("exit code"));

    [Fact]
    public void The_tools_of_an_agent_are_those_of_the_table()
    {
        var table = new StringBuilder("| tool | arguments | does |\n|---|---|---|\n");
        foreach (var tool in AgentTools.All)
        {
            var arguments = string.Join(", ", tool.Arguments.Select(argument => $"`{argument.Name}`"));
            table.Append(CultureInfo.InvariantCulture, $"| `{tool.Name}` | {arguments} | {tool.Description} |\n");
        }

        GoldenPart.Verify(UserPages.Agents, "tools", table.ToString());
    }

    [Fact]
    public void Every_word_of_the_ledger_is_in_the_table_and_no_other() => Assert.Equal(
        Enum.GetValues<DelayVerdict>().Select(DelayWords.Of), MarkdownText.Of(UserPages.Mechanisms).FirstCells("word"));

    [Fact]
    public void Beside_each_word_of_the_ledger_is_the_one_for_programs() => Assert.All(
        Enum.GetValues<DelayVerdict>(), verdict => Assert.Contains(
            $"\n| {DelayWords.Of(verdict)} | `{JsonWords.Of(verdict)}` | ", MarkdownText.Of(UserPages.Mechanisms).Text,
            StringComparison.Ordinal));
}
