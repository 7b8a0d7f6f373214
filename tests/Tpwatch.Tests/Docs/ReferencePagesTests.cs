using System.Globalization;
using System.Text;
using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;
using JsonWords = Tpwatch.Text.Words;

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
        UserPages.CommandLine, $"help {verb}".TrimEnd(), $"```text\n{HelpText.Broken(await HelpText.OfAsync(verb))}```\n");

    [Fact]
    public async Task Every_command_that_the_tool_names_has_its_help_on_the_page() => Assert.Equal(
        HelpText.Verbs.Where(verb => verb.Length > 0),
        (await HelpText.OfAsync("")).Split("Commands:\n")[1].Split('\n')
            .Where(line => line.StartsWith("  ", StringComparison.Ordinal) && line[2] != ' ')
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[0]));

    [Fact]
    public void Every_exit_code_is_in_the_table_and_no_other() => Assert.Equal(
        Enum.GetValues<ExitCode>().Select(code => ((int)code).ToString(CultureInfo.InvariantCulture)),
        MarkdownText.Of(UserPages.CommandLine).FirstCells("exit code"));

    [Fact]
    public void Every_word_of_the_ledger_is_in_the_table_and_no_other() => Assert.Equal(
        Enum.GetValues<DelayVerdict>().Select(VerdictWords.Of), MarkdownText.Of(UserPages.Mechanisms).FirstCells("word"));

    [Fact]
    public void Beside_each_word_of_the_ledger_is_the_one_for_programs() => Assert.All(
        Enum.GetValues<DelayVerdict>(), verdict => Assert.Contains(
            $"\n| {VerdictWords.Of(verdict)} | `{JsonWords.Of(verdict)}` | ", MarkdownText.Of(UserPages.Mechanisms).Text,
            StringComparison.Ordinal));
}
