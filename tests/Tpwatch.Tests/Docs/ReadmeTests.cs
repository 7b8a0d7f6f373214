using System.Globalization;
using System.Text;
using Tpwatch.Basics;
using Tpwatch.Reports;
using Tpwatch.Screen.Keys;
using Tpwatch.Tests.Structure;

namespace Tpwatch.Tests.Docs;

/// <summary>What the first page says of keys, options, exit codes and judgements is what the program does.</summary>
public sealed class ReadmeTests
{
    const string Page = "README.md";

    [Fact]
    public void The_keys_are_those_of_the_table_of_bindings()
    {
        var table = new StringBuilder("| key | does |\n|---|---|\n");
        foreach (var binding in Bindings.All)
        {
            table.Append(CultureInfo.InvariantCulture, $"| `{binding.Show}` | {binding.Help} |\n");
        }

        GoldenPart.Verify(Page, "keys", table.ToString());
    }

    [Fact]
    public async Task The_help_is_what_the_tool_prints() =>
        GoldenPart.Verify(Page, "help", $"```text\n{HelpText.Broken(await HelpText.OfAsync(""))}```\n");

    [Fact]
    public void The_build_machine_runs_the_tests_by_the_command_of_this_page()
    {
        var command = MarkdownText.Of(Page).Code.First(line => line.StartsWith("dotnet test", StringComparison.Ordinal));
        Assert.Contains($" {command} --logger trx", SourceTree.Files.Single(file => file.Path == ".ci/run").Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_exit_code_is_in_the_table_and_no_other() => Assert.Equal(
        Enum.GetValues<ExitCode>().Select(code => ((int)code).ToString(CultureInfo.InvariantCulture)),
        MarkdownText.Of(Page).FirstCells("exit code"));

    [Fact]
    public void Every_word_of_the_ledger_is_in_the_table_and_no_other() => Assert.Equal(
        Enum.GetNames<GapVerdict>().Select(name => $"`{char.ToLowerInvariant(name[0])}{name[1..]}`"),
        MarkdownText.Of(Page).FirstCells("word"));
}
