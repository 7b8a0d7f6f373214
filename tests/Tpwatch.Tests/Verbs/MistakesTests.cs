using Tpwatch.Text;

namespace Tpwatch.Tests.Verbs;

/// <summary>
/// Every wrong command line: exit code 3 (or 1), one sentence, one hint, nothing on standard output, never the whole help.
/// </summary>
public sealed class MistakesTests
{
    const string AllVerbs =
        "The commands are ps, report, record, replay, rules, whatif, compare, serve, mcp, demo, completion, help; "
            + "to watch a process of that name, write -n OrderApi.";

    public static TheoryData<string, string, string> Cases => new()
    {
        { "-p abc", "'abc' is not a valid number for -p.", "Write a whole number from 1 to 2147483647." },
        { "--pid 0", "'0' is not a valid number for --pid.", "Write a whole number from 1 to 2147483647." },
        { "--process-id 99999999999", "'99999999999' is not a valid number for --process-id.",
            "Write a whole number from 1 to 2147483647." },
        { "-p", "-p needs a value.", "Write -p N." },
        { "-p 1 -p 2", "-p was given more than once.", "Write -p N once." },
        { "-p 1 -n x", "Two targets were given, -p and -n.", "Give exactly one of -p PID, -n NAME, --dport PATH and -- COMMAND." },
        { "report x.nettrace -p 1", "A file and a process were both given.", "Give a recording or a process, not both." },
        { "reprot", "There is no command 'reprot'.", "Did you mean 'report'?" },
        { "reprot -p abc", "There is no command 'reprot'.", "Did you mean 'report'?" },
        { "recrod -p 1", "There is no command 'recrod'.", "Did you mean 'record'?" },
        { "PS", "There is no command 'PS'.", "Did you mean 'ps'?" },
        { "watch -p 1", "There is no command 'watch'.", "Watching needs no command: dotnet tpwatch -p PID." },
        { "collect", "There is no command 'collect'.", "That command is called 'record' here." },
        { "1234", "There is no command '1234'.", "For a process, write -p 1234." },
        { "OrderApi", "There is no command 'OrderApi'.", AllVerbs },
        { "-p 1 --durration 3s", "There is no option '--durration'.", "Did you mean '--duration'?" },
        { "report --durtion 3s", "'report' has no option '--durtion'.", "Did you mean '--duration'?" },
        { "report --durtion", "'report' has no option '--durtion'.", "Did you mean '--duration'?" },
        { "--qqqq", "There is no option '--qqqq'.", "'dotnet tpwatch --help' lists the options." },
        { "-p 1 report", "-p comes before the command 'report'.", "Write the option after 'report'." },
        { "-p 1 --duration 0s", "'0s' is not a valid duration for --duration.", "Write 250ms, 30s, 5m, 1h or dd:hh:mm:ss." },
        { "-p 1 --duration ten", "'ten' is not a valid duration for --duration.", "Write 250ms, 30s, 5m, 1h or dd:hh:mm:ss." },
        { "-p 1 --heartbeat 5ms", "'5ms' is not a valid interval for --heartbeat.", "Write off, or a duration from 100ms to 60s." },
        { "-p 1 --format json", "'json' is not a value of --format.", "Choose one of text, ndjson, plain, github, junit." },
        { "report -p 1 --format pdf", "'pdf' is not a value of --format.",
            "Choose one of text, json, html, svg, perfetto, speedscope, csv, csv-gaps, csv-requests, plain, github, junit." },
        { "-p 1 --time local", "'local' is not a value of --time.", "Choose one of utc, elapsed." },
        { "-p 1 --fps 500", "'500' is not a valid number for --fps.", "Write a whole number from 1 to 60." },
        { "-p 1 --wait", "--timeout needs --wait or --dport, and --wait needs -n or --dport.",
            "Write -n NAME --wait [--timeout 1m]." },
        { "-n x --timeout 3s", "--timeout needs --wait or --dport, and --wait needs -n or --dport.",
            "Write -n NAME --wait [--timeout 1m]." },
    };

    public static TheoryData<string, string, string> OfArguments => new()
    {
        { "ps x", "'ps' does not take 'x'.", "'dotnet tpwatch ps --help' shows its arguments and options." },
        { "replay", "Required argument 'FILE' missing for command: 'replay'.", "'dotnet tpwatch replay --help' shows what goes here." },
        { "replay a b", "'replay' does not take 'b'.", "'dotnet tpwatch replay --help' shows its arguments and options." },
        { "replay no-such-file", "There is no file 'no-such-file'.", "Give a .nettrace file; for a process, write -p PID or -n NAME." },
        { "report 41822", "There is no file '41822'.", "For a process, write -p 41822." },
        { "replay x --speed 2", "'2' is not a valid speed.", "Choose one of '1', '10', 'max'." },
        { "compare a", "Required argument 'AFTER' missing for command: 'compare'.",
            "'dotnet tpwatch compare --help' shows what goes here." },
        { "compare no-such-file b", "There is no file 'no-such-file'.",
            "Give a .nettrace file, or a report written with --format json." },
        { "completion ksh", "There is no completion for 'ksh'.", "Choose one of bash, zsh, fish, pwsh." },
        { "help dept", "There is no help about 'dept'.", "Did you mean 'depth'?" },
        { "help qqqqqqqqqq", "There is no help about 'qqqqqqqqqq'.", "The topics are depth, dport, fail-on, policy." },
        { "record -p 41822 --limit-size much", "'much' is not a valid size for --limit-size.",
            "Write 500kB, 64MB, 1GB or a number of bytes." },
    };

    public static TheoryData<string, string, string> OfServe => new()
    {
        { "serve --listen 9464", "'9464' is not a valid address for --listen.", "Write 127.0.0.1:9464, [::1]:9464 or 0.0.0.0:9464." },
        { "serve --listen prod.example:9464", "'prod.example:9464' is not a valid address for --listen.",
            "Write 127.0.0.1:9464, [::1]:9464 or 0.0.0.0:9464." },
        { "serve --listen 0.0.0.0:9464", "Other machines can reach 0.0.0.0:9464, and no token was given.",
            "Give --token-file FILE, or listen on 127.0.0.1." },
        { "serve --limit 1000", "'1000' is not a valid number for --limit.", "Write a whole number from 1 to 200." },
        {
            "serve -p 1 -p x", "'x' is not a valid number for -p.",
            "Write a whole number from 1 to 2147483647, or several separated by commas."
        },
        { "serve --older-than never", "'never' is not a valid duration for --older-than.", "Write 250ms, 30s, 5m, 1h or dd:hh:mm:ss." },
    };

    [Theory]
    [MemberData(nameof(Cases))]
    [MemberData(nameof(OfArguments))]
    [MemberData(nameof(OfServe))]
    public async Task A_mistake_is_told_in_one_sentence_with_a_hint(string words, string sentence, string hint)
    {
        var run = await CommandRun.Of(words.Split(' '));
        Assert.Equal([$"tpwatch: {sentence}", $"  {hint}"], run.ErrorLines);
        Assert.Equal(3, run.Code);
        Assert.Empty(run.Out);
    }

    [Theory]
    [InlineData("-p 7", "There is no process 7.")]
    [InlineData("report -n Nobody", "No .NET process is called 'Nobody'.")]
    public async Task A_process_that_is_not_there_is_code_1(string words, string sentence)
    {
        var run = await CommandRun.Of(words.Split(' '));
        Assert.Equal($"tpwatch: {sentence}", run.ErrorLines[0]);
        Assert.Equal(1, run.Code);
    }

    [Theory]
    [InlineData("report x.nettrace --duration 3s")]
    [InlineData("report x.nettrace --heartbeat 2s")]
    [InlineData("whatif x.nettrace --min 9 --duration 3s")]
    public async Task A_recording_holds_what_it_holds(string words)
    {
        var run = await CommandRun.Of(words.Split(' '));
        Assert.Equal(
            ["tpwatch: --duration, --heartbeat and --depth apply to a process, not to a recording.",
                "  Leave these options out."], run.ErrorLines);
        Assert.Equal(3, run.Code);
    }

    [Fact]
    public async Task Without_a_target_the_candidates_are_listed_and_secrets_are_not()
    {
        var engine = new FakeEngine();
        engine.Processes.Add(new ProcessRow(5, "Other", null, null, null, "it has ended"));
        var run = await CommandRun.Of(engine);
        Assert.Equal(3, run.Code);
        Assert.Equal("tpwatch: No process was named.", run.ErrorLines[0]);
        Assert.Contains(run.ErrorLines, l => l.Contains("41822  OrderApi", StringComparison.Ordinal));
        Assert.DoesNotContain("secret", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("Other", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_empty_name_and_an_empty_verb_are_mistakes()
    {
        Assert.Equal(3, (await CommandRun.Of("-n", "")).Code);
        Assert.Equal(3, (await CommandRun.Of("")).Code);
    }

    [Theory]
    [InlineData("no/such/folder/x.txt")]
    [InlineData("")]
    [InlineData("/")]
    public async Task An_output_that_cannot_be_created_is_code_3_before_anything_is_attached_to(string path)
    {
        var engine = new FakeEngine();
        foreach (var verb in (string[])["report", "record"])
        {
            var run = await CommandRun.Of(engine, verb, "-p", "41822", "-o", path);
            Assert.Equal(3, run.Code);
            Assert.Equal(2, run.ErrorLines.Length);
            Assert.Null(engine.Watch);
        }
    }

    [Fact]
    public async Task What_nobody_foresaw_is_called_a_bug_with_version_and_stack()
    {
        var run = await CommandRun.Of(new FakeEngine(), c => c with { Engine = null! }, "-p", "41822");
        Assert.Equal(70, run.Code);
        Assert.StartsWith("tpwatch: This is a bug in tpwatch 0.1.0", run.Error, StringComparison.Ordinal);
        Assert.Contains("NullReferenceException", run.Error, StringComparison.Ordinal);
    }
}
